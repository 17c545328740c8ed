import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listProceeds } from '../../../src/engine/order/applySweep.js'
import type { OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { OrderState, RefundShare } from '../../../src/engine/order/order.js'
import { refundedOf } from '../../../src/engine/order/refundedOf.js'
import { divideRefund, listRefundable, sumRefundable } from '../../../src/engine/order/requestRefund.js'
import { transition } from '../../../src/engine/order/transition.js'
import { chain, type Goods, termsOf } from '../../helpers/quotedTerms.js'

const play = (order: OrderState, ...events: readonly OrderEvent[]): OrderState =>
  events.reduce((state, event) => transition(state, event, 0).order, order)

const paid = (goods: readonly Goods[], excess = 0): OrderState => {
  const terms = termsOf(goods)
  const units = `${BigInt(terms.quote.totalUnits ?? 0) + BigInt(excess)}`
  const payment = { id: 'p', chain, currency: 'usdc', decimals: 6, units, payer: '0xaa', txId: 'tx' }
  return play(
    newOrder('order', 'project', terms),
    { type: 'quoted', terms },
    { type: 'payment-seen', payment: { ...payment, minedAtMs: 0 } },
    { type: 'payment-confirmed', paymentId: 'p' },
  )
}
const delivered = (lineItemIndex: number): OrderEvent => ({
  type: 'item-delivered',
  lineItemIndex,
  txId: 'mint',
  walletAddress: '0xbb',
  tokens: [],
})
const requested = (...shares: RefundShare[]): OrderEvent => ({
  type: 'refund-requested',
  request: { shares },
})
const share = (lineItemIndex: number, units: bigint | number): RefundShare => ({
  lineItemIndex,
  units: `${units}`,
})
/** An order of 10 and 20, delivered and swept to the treasury. */
const sold = (): OrderState => play(paid([{ units: 10 }, { units: 20 }]), delivered(0), delivered(1))

describe('a request by the merchant', () => {
  test('default: refunds the accepted payment, from the treasury once the proceeds were swept', () => {
    const { order, effects } = transition(sold(), requested(share(1, 20)), 0)
    const refund = { id: 'refund:order:0', paymentId: 'p', units: '20', reason: 'requested' }
    expect(order.refunds).toMatchObject([{ ...refund, status: 'pending', source: 'treasury' }])
    expect(effects).toMatchObject([{ type: 'refund', refundId: 'refund:order:0', source: 'treasury' }])
    // What was swept stays as it was.
    expect(listProceeds(order)).toEqual(listProceeds(sold()))
  })

  test('behavior: before the sweep the order pays, and its proceeds are less', () => {
    const order = play(paid([{ units: 10, payee: '0xada' }, { units: 20 }]), delivered(0))
    const refunded = play(order, requested(share(0, 4)))
    expect(refunded.refunds[0]?.source).toBeUndefined()
    const end = play(
      refunded,
      { type: 'refund-sent', refundId: 'refund:order:0', txId: 'back' },
      delivered(1),
    )
    expect(end.isSwept).toBe(true)
    expect(listProceeds(end).map(({ recipient, units }) => ({ recipient, units }))).toEqual([
      { recipient: undefined, units: 20n },
      { recipient: '0xada', units: 6n },
    ])
    // Its sweep waits until the refund has left.
    expect(play(refunded, delivered(1)).isSwept).toBe(false)
  })

  test.each([
    ['more than the price', [share(0, 11)]],
    ['more than the price in two parts', [share(0, 6), share(0, 5)]],
    ['nothing', [share(0, 0)]],
    ['less than nothing', [share(0, -1)]],
    ['no line item', []],
    ['a line item that there is not', [share(2, 1)]],
  ])('behavior: %s changes nothing', (_, shares) => {
    const order = sold()
    expect(transition(order, requested(...shares), 0)).toEqual({ order, effects: [] })
  })

  test('behavior: an undelivered or failed line item changes nothing', () => {
    const order = play(paid([{ units: 10 }, { units: 20 }]), { type: 'item-failed', lineItemIndex: 0 })
    for (const at of [0, 1]) expect(play(order, requested(share(at, 1)))).toBe(order)
    expect(sumRefundable(order)).toBe(0n)
  })

  test('behavior: an unpaid order, or one whose payment was taken back, changes nothing', () => {
    const terms = termsOf([{ units: 10 }])
    const unpaid = play(newOrder('order', 'project', terms), { type: 'quoted', terms })
    const lost = play(sold(), { type: 'payment-lost', paymentId: 'p', sentItems: [0, 1] })
    for (const order of [unpaid, lost]) {
      expect(play(order, requested(share(0, 1)))).toBe(order)
      expect(listRefundable(order)).toEqual([])
    }
  })

  test('behavior: what was swept to a recipient of proceeds changes nothing', () => {
    const order = play(paid([{ units: 10, payee: '0xada' }, { units: 20 }]), delivered(0), delivered(1))
    expect(listRefundable(order)).toEqual([
      { lineItemIndex: 0, units: 10n, payee: '0xada' },
      { lineItemIndex: 1, units: 20n },
    ])
    expect(play(order, requested(share(0, 1)))).toBe(order)
    expect(play(order, requested(share(1, 1), share(0, 1)))).toBe(order)
    expect(divideRefund(order, {})).toEqual([share(1, 20)])
    expect(divideRefund(order, { units: 21n })).toEqual([])
    expect(divideRefund(order, { lineItemIndexes: [0] })).toEqual([])
  })

  test('behavior: once swept, the treasury pays also after the payment was lost and regained', () => {
    const duplicate = { id: 'q', chain, currency: 'usdc', decimals: 6, units: '7', payer: '0xaa' }
    // The refund of the duplicate is on its way, so that the proceeds wait to be swept again.
    const order = play(
      sold(),
      { type: 'payment-seen', payment: { ...duplicate, txId: 'two', minedAtMs: 0 } },
      { type: 'payment-confirmed', paymentId: 'q' },
      { type: 'payment-lost', paymentId: 'p', sentItems: [0, 1] },
      { type: 'payment-confirmed', paymentId: 'p' },
    )
    expect(order.isSwept).toBe(false)
    expect(play(order, requested(share(0, 10))).refunds.at(-1)).toMatchObject({ source: 'treasury' })
  })
})

const anyGoods = fc.array(
  fc.record({
    units: fc.integer({ min: 0, max: 50 }),
    payee: fc.constantFrom(undefined, undefined, '0xada'),
  }),
  { minLength: 1, maxLength: 5 },
)
const anyEvent: fc.Arbitrary<OrderEvent> = fc.oneof(
  fc.nat({ max: 5 }).map(delivered),
  fc.nat({ max: 5 }).map((lineItemIndex): OrderEvent => ({ type: 'item-failed', lineItemIndex })),
  fc
    .array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 2 })
    .map((shares) => requested(...shares.map(([at, units]) => share(at, units)))),
  fc.nat({ max: 4 }).map((at): OrderEvent => ({ type: 'refund-failed', refundId: `refund:order:${at}` })),
  fc.nat({ max: 4 }).map((at): OrderEvent => ({ type: 'refund-retried', refundId: `refund:order:${at}` })),
  fc.nat({ max: 4 }).map((at): OrderEvent => {
    return { type: 'refund-sent', refundId: `refund:order:${at}`, txId: 'back' }
  }),
  fc.constant<OrderEvent>({ type: 'payment-lost', paymentId: 'p', sentItems: [0] }),
  fc.constant<OrderEvent>({ type: 'payment-confirmed', paymentId: 'p' }),
)

test('behavior: whatever is requested, no line item is refunded beyond its price, and no payment beyond its amount', () => {
  let count = 0
  fc.assert(
    fc.property(
      anyGoods,
      fc.nat({ max: 5 }),
      fc.array(anyEvent, { maxLength: 40 }),
      (goods, excess, events) => {
        let order = play(paid(goods, excess), ...goods.slice(1).map((_, at) => delivered(at)))
        for (const event of events) {
          order = play(order, event)
          const whole = order.payments.find(({ id }) => id === 'p')?.units ?? '0'
          const refunded = order.refunds.reduce((sum, { units }) => sum + BigInt(units), 0n)
          expect(refunded).toBeLessThanOrEqual(BigInt(whole))
          for (const [index, { units }] of goods.entries()) {
            const own = refundedOf(order, index)
            expect(own).toBeLessThanOrEqual(BigInt(units))
            if (own > 0n) count++
          }
        }
      },
    ),
    { numRuns: 500 },
  )
  expect(count).toBeGreaterThan(0)
})

test('behavior: an amount is divided without a rest, and never beyond what is left', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 5 })
  fc.assert(
    fc.property(anyGoods, parts, (goods, percents) => {
      const plain = goods.map(({ units }) => ({ units }))
      let order = play(paid(plain), ...plain.map((_, at) => delivered(at)))
      for (const percent of percents) {
        const units = (sumRefundable(order) * BigInt(percent)) / 100n
        const shares = divideRefund(order, { units })
        expect(shares.reduce((sum, one) => sum + BigInt(one.units), 0n)).toBe(units)
        const left = sumRefundable(order)
        order = play(order, requested(...shares))
        expect(sumRefundable(order)).toBe(left - units)
      }
    }),
  )
})
