import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from '../../../src/engine/solana/base58.js'
import { parseAddress } from '../../../src/engine/solana/parseAddress.js'

test.each([
  ['', []],
  ['1', [0]],
  ['2', [1]],
  ['11111111111111111111111111111111', new Array(32).fill(0)],
  ['5Q', [255]],
  ['2UzHL', [255, 255, 255]],
])('default: %j', (text, bytes) => {
  expect([...(decodeBase58(text) ?? [])]).toEqual(bytes)
  expect(encodeBase58(Uint8Array.from(bytes))).toBe(text)
})

test('behavior: bytes come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
    }),
  )
})

test.each(['0', 'O', 'I', 'l', ' ', '1 1'])('error: %j is not base58', (text) => {
  expect(decodeBase58(text)).toBeUndefined()
})

test('behavior: an address has 32 bytes', () => {
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(parseAddress(usdc)).toBe(usdc)
  expect(parseAddress(`${usdc}1`)).toBeUndefined()
  expect(parseAddress(usdc.slice(0, -2))).toBeUndefined()
  expect(parseAddress('1'.repeat(32))).toBe('1'.repeat(32))
  expect(parseAddress('1'.repeat(33))).toBeUndefined()
  expect(parseAddress('z'.repeat(44))).toBeUndefined()
})
