import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  priceClasses,
  priceClassOf,
  priceWorthOf,
  roomUnderCap,
} from '../../../src/engine/order/refundCap.js'

const worthOf = (totalUnits: string | undefined, usdRate?: string, decimals = 18): number =>
  priceWorthOf({
    quote: { status: 'valid', ...(totalUnits && { totalUnits }), ...(usdRate && { usdRate }) },
    payment: { status: 'awaiting-payment', chain: 'base', currency: 'eth', decimals },
  })

describe('priceWorthOf', () => {
  test('default: in US cents, by the rate of the quote', () => {
    expect(worthOf('10000000000000000', '3000')).toBe(3_000)
    expect(worthOf('12345678', '1', 6)).toBe(1_235)
  })

  test('behavior: without a rate, one whole unit counts as a dollar, and without a price it is nothing', () => {
    expect(worthOf('10000000000000000')).toBe(1)
    expect(worthOf(undefined, '3000')).toBe(0)
  })

  test('behavior: it is a number however much the price is', () => {
    expect(worthOf('9'.repeat(60), '3000')).toBe(Number.MAX_SAFE_INTEGER)
  })
})

test('priceClassOf', () => {
  const worths = [0, 9_999, 10_000, 999_999, 1_000_000, Number.MAX_SAFE_INTEGER]
  expect(worths.map(priceClassOf)).toEqual([0, 0, 1, 1, 2, 2])
})

describe('roomUnderCap', () => {
  test('default: one class takes two thirds of a cap, and each other one finds its share', () => {
    expect(roomUnderCap(30, [0, 0, 0], 0)).toBe(20)
    expect(roomUnderCap(30, [20, 0, 0], 0)).toBe(0)
    expect(roomUnderCap(30, [20, 0, 0], 2)).toBe(5)
    expect(roomUnderCap(30, [20, 5, 0], 2)).toBe(5)
  })

  test('behavior: whatever comes in whatever order, the cap holds and every class finds its share', () => {
    const classes = priceClasses.map((_, at) => at)
    const order = fc.array(fc.constantFrom(...classes), { maxLength: 100 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), order, (cap, comers) => {
        const released = classes.map(() => 0)
        for (const at of comers)
          if (roomUnderCap(cap, released, at) > 0) released[at] = (released[at] ?? 0) + 1
        expect(released.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(cap)
        const share = Math.floor(cap / (2 * classes.length))
        for (const at of classes)
          expect((released[at] ?? 0) + Math.max(0, roomUnderCap(cap, released, at))).toBeGreaterThanOrEqual(
            share,
          )
      }),
    )
  })
})
