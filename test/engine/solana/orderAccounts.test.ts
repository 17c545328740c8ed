import {
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  isOffCurveAddress,
} from '@solana/kit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBase58 } from '../../../src/engine/solana/base58.js'
import { addToPublicKey, isOnCurve } from '../../../src/engine/solana/curve.js'
import { getAssociatedTokens, getOrderAccounts, programs } from '../../../src/engine/solana/orderAccounts.js'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const encoder = getAddressEncoder()
const toAddress = (bytes: Uint8Array): Address => address(encodeBase58(bytes))
/** The neutral element, to which the first multiple of the base point is added. */
const neutral = Uint8Array.from({ length: 32 }, (_, at) => (at ? 0 : 1))

test('default: the account of an owner is what Solana’s own library derives', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, async (owner, mint) => {
      const [expected] = await getProgramDerivedAddress({
        programAddress: address(programs.associatedToken),
        seeds: [owner, encoder.encode(address(programs.token)), mint],
      })
      expect(getAssociatedTokens(toAddress(owner), toAddress(mint))).toBe(expected)
    }),
    { numRuns: 200 },
  )
})

test('default: an address has a key exactly where Solana’s own library says so', () => {
  const edges = [0n, 1n, 2n ** 255n - 20n, 2n ** 255n - 19n, 2n ** 255n - 18n, 2n ** 255n - 1n].flatMap((y) =>
    [0n, 1n].map((sign) => {
      const encoded = y | (sign << 255n)
      return Uint8Array.from({ length: 32 }, (_, at) => Number((encoded >> BigInt(8 * at)) & 255n))
    }),
  )
  for (const bytes of [...edges, ...fc.sample(bytes32, 500)]) {
    // Encodings of y that are too large, or of no sign of x, are ones that no key has.
    if (isOnCurve(bytes)) expect(isOffCurveAddress(toAddress(bytes))).toBe(false)
    else if (!edges.includes(bytes)) expect(isOffCurveAddress(toAddress(bytes))).toBe(true)
  }
})

test('behavior: multiples of the base point add up, and every sum is on the curve', () => {
  const scalar = fc.bigInt({ min: 0n, max: 2n ** 256n })
  fc.assert(
    fc.property(scalar, scalar, (one, other) => {
      const first = addToPublicKey(neutral, one) ?? new Uint8Array()
      const both = addToPublicKey(first, other)
      expect(both).toEqual(addToPublicKey(neutral, one + other))
      expect(isOnCurve(both ?? new Uint8Array())).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('behavior: each order of each operator has an address of its own', () => {
  const operators = fc.sample(fc.bigInt({ min: 1n, max: 2n ** 252n }), 5).map((scalar) => {
    return encodeBase58(addToPublicKey(neutral, scalar) ?? new Uint8Array())
  })
  const orders = fc.sample(fc.uuid(), 20)
  const owners = operators.flatMap((each) => orders.map((id) => getOrderAccounts(each, id, undefined).owner))
  expect(new Set([...owners, ...operators]).size).toBe(105)
})

test('error: an operator that no key has', () => {
  const operator = encodeBase58(new Uint8Array(32).fill(8))
  expect(() => getOrderAccounts(operator, 'an-order', undefined)).toThrow(RangeError)
  expect(() => getOrderAccounts('nobody', 'an-order', undefined)).toThrow('is not the address of a key')
})
