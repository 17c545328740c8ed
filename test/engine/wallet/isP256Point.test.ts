import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isP256Point } from '../../../src/engine/wallet/signer.js'

const newPoint = () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [left, right] = [x, y].map((text) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`))
  return { x: left ?? 0n, y: right ?? 0n }
}

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n

describe('isP256Point', () => {
  test('default', () => {
    for (let count = 0; count < 20; count++) {
      const { x, y } = newPoint()
      expect(isP256Point(x, y)).toBe(true)
      expect(isP256Point(x, prime - y)).toBe(true)
    }
  })

  test('behavior: points off the curve or outside the field', () => {
    const { x, y } = newPoint()
    for (const [left, right] of [
      [0n, 0n],
      [x, y + 1n],
      [y, x],
      [x + prime, y],
      [x, y + prime],
      [-x, y],
    ] as const) {
      expect(isP256Point(left, right)).toBe(false)
    }
  })
})
