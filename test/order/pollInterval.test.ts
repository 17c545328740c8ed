import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getPollInterval } from '../../src/order/index.js'
import type { Order } from '../../src/schema/index.js'
import { orders } from '../../src/testing/orders.js'

const make = (phase: Order['phase'], payment: Order['payment']['status']): Order => ({
  orderId: 'one',
  phase,
  lineItems: [],
  quote: { status: 'valid' },
  payment: { status: payment },
})
const calm = { failures: 0, random: 0.5 }

describe('getPollInterval', () => {
  test('default', () => {
    const paying = getPollInterval(make('payment', 'in-progress'), calm)
    const thinking = getPollInterval(make('payment', 'awaiting-payment'), calm)
    const waiting = getPollInterval(make('quote', 'requires-quote'), calm)
    expect(paying).toBeLessThan(Number(thinking))
    expect(thinking).toBeLessThan(Number(waiting))
  })

  test('behavior: a completed order is not asked for again', () => {
    expect(getPollInterval(make('completed', 'completed'), calm)).toBe(false)
  })

  test.each([
    'completed',
    'completedOnSolana',
    'excessRefunded',
    'refundedInPart',
    'refundedWhole',
    'completedWithFailure',
    'nothingDelivered',
  ] as const)(
    'behavior: an order that has ended (%s) is not asked for again once what is owed was sent back',
    (name) => {
      expect(getPollInterval(orders[name], calm)).toBe(false)
    },
  )

  test.each(['excessRefunded', 'completedWithFailure', 'nothingDelivered'] as const)(
    'behavior: a refund that is still to come (%s) is waited for, slowly',
    (name) => {
      const { refunded, ...payment } = orders[name].payment
      const order = { ...orders[name], payment }
      const thinking = Number(getPollInterval(make('payment', 'awaiting-payment'), calm))
      expect(getPollInterval(order, calm)).toBeGreaterThan(thinking)
    },
  )

  test('behavior: a failure that cannot be mended ends the polling', () => {
    expect(getPollInterval(undefined, { ...calm, failures: 1, isHopeless: true })).toBe(false)
  })

  test('behavior: quick while this buyer pays, whatever the service knows yet', () => {
    const order = make('payment', 'awaiting-payment')
    expect(getPollInterval(order, { ...calm, isPaying: true })).toBeLessThan(
      Number(getPollInterval(order, calm)),
    )
  })

  test('behavior: what the service asked for is obeyed', () => {
    expect(getPollInterval(undefined, { ...calm, failures: 1, retryAfterMs: 30_000 })).toBeGreaterThanOrEqual(
      30_000,
    )
  })

  test('behavior: never under 500 ms, never over a minute, longer with every failure', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const interval = Number(
          getPollInterval(make('payment', 'in-progress'), { ...calm, failures, random }),
        )
        expect(interval).toBeGreaterThanOrEqual(500)
        expect(interval).toBeLessThanOrEqual(60_000)
      }),
    )
    const at = (failures: number) => Number(getPollInterval(undefined, { ...calm, failures }))
    expect(at(2)).toBeGreaterThan(at(1))
  })
})
