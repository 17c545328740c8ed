import fc from 'fast-check'
import { toBaseUnits } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import { roundAmount } from '../../src/order/index.js'

test('default', () => {
  expect(roundAmount('0.012345678901234567', true)).toBe('0.0123457')
  expect(roundAmount('0.012345678901234567', false)).toBe('0.0123456')
})

describe('behavior: what is short enough stays as it is', () => {
  test.each(['0', '1', '1249.5', '0.123456', '0.000000000000123456', '0.0120000000000000000', '12345678'])(
    '%s',
    (amount) => {
      expect(roundAmount(amount, true)).toBe(undefined)
      expect(roundAmount(amount, false)).toBe(undefined)
    },
  )
})

describe('behavior: six digits after the zeros the fraction begins with', () => {
  test.each([
    ['12345678.123456789012345678', '12345678.123457', '12345678.123456'],
    ['0.0000000000001234561', '0.000000000000123457', '0.000000000000123456'],
    ['0.9999999', '1', '0.999999'],
    ['9.99999901', '10', '9.999999'],
    ['1.00000000123456789', '1.00000000123457', '1.00000000123456'],
  ])('%s', (amount, up, down) => {
    expect(roundAmount(amount, true)).toBe(up)
    expect(roundAmount(amount, false)).toBe(down)
  })
})

test('behavior: what is no decimal stays as it is', () => {
  expect(roundAmount('a lot', true)).toBe(undefined)
  expect(roundAmount('1e-18', true)).toBe(undefined)
})

test('behavior: up is never less than the amount, down never more, and neither is far from it', () => {
  const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`))
  fc.assert(
    fc.property(fc.nat(), digits(18), (whole, fraction) => {
      const amount = `${whole}.${fraction}`
      const exact = toBaseUnits(amount, 18) ?? -1n
      const up = toBaseUnits(roundAmount(amount, true) ?? amount, 18) ?? -1n
      const down = toBaseUnits(roundAmount(amount, false) ?? amount, 18) ?? -1n
      expect(exact).toBeGreaterThanOrEqual(0n)
      expect(up >= exact && down <= exact).toBe(true)
      // The fraction's first digits are kept, so it is never off by more than a hundred-thousandth of itself.
      const inFraction = exact % 10n ** 18n
      expect((up - down) * 100_000n <= inFraction).toBe(true)
    }),
  )
})
