import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listProceeds, sweepKeys } from '../../../src/engine/order/applySweep.js'
import type { OrderEffect, OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { OrderState } from '../../../src/engine/order/order.js'
import { transition } from '../../../src/engine/order/transition.js'
import { chain, type Goods, termsOf } from '../../helpers/quotedTerms.js'

const play = (order: OrderState, events: readonly OrderEvent[]) => {
  const effects: OrderEffect[] = []
  for (const event of events) {
    const next = transition(order, event, 0)
    order = next.order
    effects.push(...next.effects)
  }
  return { order, effects }
}

/** Returns an order paid with an excess. */
const paid = (goods: readonly Goods[], excess = 0) => {
  const terms = termsOf(goods)
  const units = `${BigInt(terms.quote.totalUnits ?? 0) + BigInt(excess)}`
  const amount = { chain, currency: 'usdc', decimals: 6, units }
  const payment = { id: 'p', ...amount, payer: '0xaa', txId: 'tx', minedAtMs: 0 }
  return play(newOrder('order', 'project', terms), [
    { type: 'quoted', terms },
    { type: 'payment-seen', payment },
    { type: 'payment-confirmed', paymentId: 'p' },
  ]).order
}

const finished = (lineItemIndex: number, isDelivered: boolean): OrderEvent =>
  isDelivered
    ? { type: 'item-delivered', lineItemIndex, txId: 'mint', walletAddress: '0xbb', tokens: [] }
    : { type: 'item-failed', lineItemIndex }

const sum = (all: readonly { units: bigint | string }[]): bigint =>
  all.reduce((total, { units }) => total + BigInt(units), 0n)

/** The accepted amount less all refunds. */
const takingsOf = ({ payments, refunds }: OrderState): bigint =>
  sum(payments.filter(({ use }) => use === 'accepted')) - sum(refunds)

const anyGoods = fc.array(
  fc.record({
    units: fc.integer({ min: 0, max: 50 }),
    payee: fc.constantFrom(undefined, '0xada', '0xbob', '0xcho'),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('listProceeds', () => {
  test('default: each payee gets the price of its delivered items, and the treasury the rest', () => {
    const goods = [
      { units: 5, payee: '0xada' },
      { units: 7 },
      { units: 11, payee: '0xbob' },
      { units: 13, payee: '0xada' },
    ]
    const { order, effects } = play(
      paid(goods, 3),
      [true, true, false, true].map((isDelivered, index) => finished(index, isDelivered)),
    )
    expect(listProceeds(order)).toEqual([
      { key: 'sweep:order', chain, currency: 'usdc', units: 7n },
      { key: 'sweep:order:0xada', recipient: '0xada', chain, currency: 'usdc', units: 18n },
    ])
    // No payee is paid before the excess is refunded.
    expect(effects.map(({ type }) => type)).toEqual(['refund'])
    const refundIds = order.refunds.map(({ id }) => id)
    const sent = refundIds.map((refundId): OrderEvent => ({ type: 'refund-sent', refundId, txId: 'back' }))
    expect(play(order, sent).effects).toEqual([{ type: 'sweep' }, { type: 'sweep', recipient: '0xada' }])
  })

  test('behavior: the proceeds of an order without payees go to the treasury', () => {
    const { order, effects } = play(paid([{ units: 5 }]), [finished(0, true)])
    expect(listProceeds(order)).toEqual([{ key: 'sweep:order', chain, currency: 'usdc', units: 5n }])
    expect(effects).toEqual([{ type: 'sweep' }])
    expect(sweepKeys(order)).toEqual(['sweep:order'])
  })

  test('behavior: an order that delivered nothing has no proceeds', () => {
    const { order } = play(paid([{ units: 5, payee: '0xada' }]), [finished(0, false)])
    const back: OrderEvent = { type: 'refund-sent', refundId: 'refund:order:0', txId: 'back' }
    expect(play(order, [back])).toMatchObject({ order: { isSwept: true }, effects: [] })
    expect(listProceeds(order)).toEqual([])
  })

  test("behavior: a payment for an earlier price pays that price's payee", () => {
    const [before, after] = [termsOf([{ units: 5, payee: '0xada' }]), termsOf([{ units: 9, payee: '0xbob' }])]
    const amount = { chain, currency: 'usdc', decimals: 6, units: '5' }
    const payment = { id: 'p', ...amount, payer: '0xaa', txId: 'tx', minedAtMs: 0 }
    const { order } = play(newOrder('order', 'project', before), [
      { type: 'quoted', terms: before },
      { type: 'quoted', terms: after },
      { type: 'payment-seen', payment },
      { type: 'payment-confirmed', paymentId: 'p' },
      finished(0, true),
    ])
    expect(listProceeds(order)).toMatchObject([{ recipient: '0xada', units: 5n }])
  })

  test('behavior: for any items and deliveries, the shares add up to the proceeds, to the base unit', () => {
    const outcomes = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(anyGoods, outcomes, fc.integer({ min: 0, max: 9 }), (goods, delivered, excess) => {
        let order = paid(goods, excess)
        for (const index of goods.keys()) {
          order = play(order, [finished(index, delivered[index] ?? true)]).order
          // Also before the end: pending items belong to no share yet.
          const parts = listProceeds(order)
          expect(parts.every(({ units }) => units > 0n)).toBe(true)
          expect(sum(parts)).toBe(takingsOf(order))
          expect(sweepKeys(order)).toEqual(expect.arrayContaining(parts.map(({ key }) => key)))
        }
        const parts = listProceeds(order)
        for (const payee of [undefined, '0xada', '0xbob', '0xcho']) {
          const earned = goods.filter((one, index) => one.payee === payee && delivered[index])
          const part = parts.find(({ recipient }) => recipient === payee)
          expect(part?.units ?? 0n).toBe(BigInt(earned.reduce((total, { units }) => total + units, 0)))
        }
      }),
    )
  })

  test('behavior: refunds that reduce the proceeds never make the shares exceed them', () => {
    const back = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4 })
    fc.assert(
      fc.property(anyGoods, back, (goods, amounts) => {
        const whole = goods.reduce(
          (order, _, index) => play(order, [finished(index, true)]).order,
          paid(goods),
        )
        let left = takingsOf(whole)
        const refunds = amounts.map((amount, index) => {
          const units = BigInt(amount) < left ? BigInt(amount) : left
          left -= units
          const id = `refund:order:${index}`
          return {
            id,
            paymentId: 'p',
            units: `${units}`,
            reason: 'undelivered' as const,
            status: 'sent' as const,
          }
        })
        const parts = listProceeds({ ...whole, refunds })
        expect(parts.every(({ units }) => units > 0n)).toBe(true)
        expect(sum(parts)).toBe(left)
        for (const { recipient, units } of parts) {
          const earned = goods.filter(({ payee }) => payee === recipient)
          expect(units <= BigInt(earned.reduce((total, one) => total + one.units, 0))).toBe(true)
        }
      }),
    )
  })
})
