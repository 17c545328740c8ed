import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBaseUnits, toBaseUnits } from '../../src/schema/baseUnits.js'

describe('toBaseUnits', () => {
  test('default', () => {
    expect(toBaseUnits('1.5', 6)).toBe(1_500_000n)
    expect(toBaseUnits('0.000000000000000001', 18)).toBe(1n)
    expect(toBaseUnits('12', 0)).toBe(12n)
  })

  test('behavior: trailing zeros beyond the currency are not digits', () => {
    expect(toBaseUnits('1.5000000', 6)).toBe(1_500_000n)
  })

  test.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,5', '0x10', ' 1', '1 ', 'NaN', '１'])(
    'error: %j is not a decimal',
    (text) => expect(toBaseUnits(text, 6)).toBeUndefined(),
  )

  test('error: more fractional digits than the currency has are refused, not rounded', () => {
    expect(toBaseUnits('0.0000001', 6)).toBeUndefined()
  })
})

describe('fromBaseUnits', () => {
  test('default', () => {
    expect(fromBaseUnits(1_500_000n, 6)).toBe('1.5')
    expect(fromBaseUnits(0n, 18)).toBe('0')
    expect(fromBaseUnits(1n, 18)).toBe('0.000000000000000001')
  })

  test('behavior: what is written reads back to the very same base units', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 190n }),
        fc.integer({ min: 0, max: 30 }),
        (units, decimals) => {
          expect(toBaseUnits(fromBaseUnits(units, decimals), decimals)).toBe(units)
        },
      ),
    )
  })
})
