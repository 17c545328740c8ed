import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundUpCharges, toFiat } from '../../src/schema/price.js'

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const countDigits = (units: bigint) => `${units}`.replace(/0+$/, '').length
const round = (items: readonly (readonly bigint[])[], decimals = 18) =>
  roundUpCharges(
    items.map((charges) => charges.map((units) => ({ units }))),
    decimals,
  )

test('default: charges of a coin have six significant digits, rounded up', () => {
  expect(round([[1234567890123456789n, 0n, 0n]])).toEqual([[1234570000000000000n, 0n, 0n]])
  expect(round([[999_999_000_001n]])).toEqual([[1_000_000_000_000n]])
})

test('behavior: what is short enough stays as it is, and so do currencies with six decimals', () => {
  expect(round([[123_456n * 10n ** 12n], [876_544n * 10n ** 12n]])).toEqual([
    [123_456n * 10n ** 12n],
    [876_544n * 10n ** 12n],
  ])
  expect(round([[1_234_567_891n, 1n]], 6)).toEqual([[1_234_567_891n, 1n]])
})

test('behavior: every charge, every item and the total are short, and none is less than it was', () => {
  const charge = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.bigInt({ min: 0n, max: 10n ** 7n }))
  const items = fc.array(fc.tuple(charge, charge, charge), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(items, (exact) => {
      const rounded = round(exact)
      const all = [...rounded.flat(), ...rounded.map(sum), sum(rounded.flat())]
      expect(Math.max(...all.map(countDigits))).toBeLessThanOrEqual(6)
      const before = exact.flat()
      expect(rounded.flat().every((units, at) => units >= (before[at] ?? 0n))).toBe(true)
      // Each charge gains less than one hundred-thousandth of the total.
      const total = sum(rounded.flat())
      const gains = rounded.flat().map((units, at) => units - (before[at] ?? 0n))
      expect(gains.every((units) => units === 0n || units * 100_000n < total)).toBe(true)
    }),
  )
})

test('behavior: a charge that the merchant set in the coin stays exact, beside rounded ones', () => {
  const given = { units: 12_345_678_900_000_001n, isGiven: true }
  expect(roundUpCharges([[given, { units: 1_018_518_509_250_001n }]], 18)).toEqual([
    [12_345_678_900_000_001n, 1_018_600_000_000_000n],
  ])
})

test('parameters: dollars, to the cent', () => {
  expect(toFiat(33_333_400_000_000_000n, 18, '3000')).toEqual({ amount: '100.00', currency: 'usd' })
  expect(toFiat(5_000_000n, 6, '0.9995')).toEqual({ amount: '5.00', currency: 'usd' })
  expect(toFiat(1n, 18, '3000')).toEqual({ amount: '0.00', currency: 'usd' })
  expect(toFiat(15_000n, 6, '1')).toEqual({ amount: '0.02', currency: 'usd' })
})
