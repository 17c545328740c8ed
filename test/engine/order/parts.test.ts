import { describe, expect, test } from 'vitest'
import { isClaimed } from '../../../src/engine/order/applyClaim.js'
import { dueUnits } from '../../../src/engine/order/applyQuote.js'
import type { OrderEffect, OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { orderEvents } from '../../../src/engine/order/orderEvents.js'
import { planRefund } from '../../../src/engine/order/planRefund.js'
import { atRefund } from '../../../src/engine/order/refundTerms.js'
import { transition } from '../../../src/engine/order/transition.js'
import { viewOrder } from '../../../src/engine/order/view.js'

/** Several payments of one order, whose quote is valid from 0 to `endMs`. */
const endMs = 1_000
const windowMs = 5_000

const termsOf = (prices: readonly number[], expiresAtMs = endMs): QuotedTerms => ({
  locale: 'en-US',
  recipient: { walletAddress: '0xbb' },
  lineItems: prices.map((units): LineItemState => {
    const totalUnits = `${units}`
    const charges = { unitUnits: totalUnits, salesTaxUnits: '0', shippingUnits: '0', totalUnits }
    return {
      collectionId: 'tea',
      chain: 'base-sepolia',
      quantity: 1,
      callData: {},
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote: { status: 'valid', charges },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
    }
  }),
  quote: { status: 'valid', expiresAtMs, totalUnits: `${prices.reduce((sum, units) => sum + units, 0)}` },
  payment: { chain: 'base-sepolia', currency: 'usdc', decimals: 0, payerAddress: '0xaa' },
})

type Step = OrderEvent | { at: number; event: OrderEvent }
const play = (from: OrderState, ...steps: readonly Step[]) => {
  let order = from
  const effects: OrderEffect[] = []
  const told: string[] = []
  for (const step of steps) {
    const { at, event } = 'event' in step ? step : { at: 0, event: step }
    const next = transition(order, event, at)
    told.push(...orderEvents(order, next.order))
    order = next.order
    effects.push(...next.effects)
  }
  return { order, effects, told, view: (nowMs = 0) => viewOrder(order, nowMs, 'merchant') }
}

const quoted = (prices: readonly number[], expiresAtMs?: number): OrderEvent => ({
  type: 'quoted',
  terms: termsOf(prices, expiresAtMs),
})
const open = (prices: readonly number[] = [10], isHeld = false): OrderState =>
  play(
    { ...newOrder('order', 'project', termsOf(prices)), ...(isHeld && { capture: { windowMs } }) },
    quoted(prices),
  ).order

type Paid = { payer?: string; minedAtMs?: number; currency?: string }
const seen = (id: string, units: number, change: Paid = {}): OrderEvent => ({
  type: 'payment-seen',
  payment: {
    id,
    chain: 'base-sepolia',
    currency: 'usdc',
    decimals: 0,
    units: `${units}`,
    payer: '0xaa',
    txId: `tx-${id}`,
    minedAtMs: 0,
    ...change,
  },
})
const confirmed = (paymentId: string): OrderEvent => ({ type: 'payment-confirmed', paymentId })
const paid = (id: string, units: number, change: Paid = {}): OrderEvent[] => [
  seen(id, units, change),
  confirmed(id),
]
const lost = (paymentId: string, ...sentItems: number[]): OrderEvent => ({
  type: 'payment-lost',
  paymentId,
  sentItems,
})
/** The quote ends, and what was mined by then was seen. */
const ends: Step = { at: endMs, event: { type: 'time-passed', searchedUntilMs: endMs + 1 } }
const delivered = (lineItemIndex: number): OrderEvent => ({
  type: 'item-delivered',
  lineItemIndex,
  txId: 'mint',
  walletAddress: '0xbb',
  tokens: [],
})
const failed = (lineItemIndex: number): OrderEvent => ({ type: 'item-failed', lineItemIndex })

/** What goes back: of which payment, how much, and why. */
const backOf = ({ refunds }: OrderState) =>
  refunds.map(({ paymentId, units, reason }) => `${units} of ${paymentId}: ${reason}`)
const usesOf = ({ payments }: OrderState) =>
  Object.fromEntries(payments.map(({ id, use, isLost }) => [id, isLost ? `${use}, lost` : use]))

describe('payments that add up', () => {
  test('default: 5 and 5 in one transaction pay for 10', () => {
    const { order, effects, told, view } = play(
      open(),
      seen('a', 5, {}),
      seen('b', 5, {}),
      confirmed('a'),
      confirmed('b'),
    )
    expect(usesOf(order)).toEqual({ a: 'accepted', b: 'accepted' })
    expect(backOf(order)).toEqual([])
    expect(effects).toEqual([{ type: 'deliver', lineItemIndex: 0 }])
    expect(told).toEqual(['orders.payment.succeeded', 'orders.delivery.initiated'])
    expect(view()).toMatchObject({
      phase: 'delivery',
      payment: {
        status: 'completed',
        received: { amount: '10', txId: 'tx-b' },
        balances: { captured: '10', refunded: '0', refundable: '0' },
      },
    })
    expect(view().payment.failureReason).toBeUndefined()
  })

  test('behavior: 6 waits and says so, and 4 complete it', () => {
    const waiting = play(open(), ...paid('a', 6))
    expect(waiting.told).toEqual([])
    expect(waiting.view()).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid' },
      payment: {
        status: 'awaiting-payment',
        received: { amount: '6', txId: 'tx-a' },
        failureReason: {
          code: 'underpaid',
          message:
            '6 usdc of 10 usdc was paid. Pay the rest before the quote expires, or it goes back to its payer then.',
        },
      },
    })
    expect(backOf(waiting.order)).toEqual([])
    expect(waiting.view().payment.remaining).toEqual({ amount: '4', currency: 'usdc' })
    expect(waiting.view(endMs).payment.remaining).toBeUndefined()
    const { order, view } = play(waiting.order, ...paid('b', 4))
    expect(view().payment.remaining).toBeUndefined()
    expect(usesOf(order)).toEqual({ a: 'accepted', b: 'accepted' })
    expect(backOf(order)).toEqual([])
  })

  test('behavior: what was prepared for another amount than what is left is not shown any more', () => {
    const atMs = 200_000
    const prepared = (serializedTransaction: string): Step => ({
      at: atMs,
      event: { type: 'funds-checked', funds: { status: 'ready', serializedTransaction } },
    })
    const reported: Step = { at: atMs, event: { type: 'payment-reported', txId: 'tx-a' } }
    const before = play(open(), quoted([10], 2 * atMs), prepared('0x10'), reported)
    expect(before.view().payment.preparation?.serializedTransaction).toBe('0x10')
    const part = play(before.order, ...paid('a', 6))
    expect(dueUnits(part.order)).toBe(4n)
    expect(part.view().payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress: '0xaa' })
    const rest = play(part.order, prepared('0x04'))
    expect(rest.view().payment.preparation?.serializedTransaction).toBe('0x04')
    const whole = play(rest.order, lost('a'))
    expect(dueUnits(whole.order)).toBe(10n)
    expect(whole.view().payment).not.toHaveProperty('remaining')
    expect(whole.view().payment.preparation).not.toHaveProperty('serializedTransaction')
  })

  test('behavior: 6 and then the end of the quote: it goes back once, and the merchant is told once', () => {
    const { order, effects, told, view } = play(open(), ...paid('a', 6), ends, ends)
    expect(usesOf(order)).toEqual({ a: 'returned' })
    expect(backOf(order)).toEqual(['6 of a: underpaid'])
    expect(effects).toMatchObject([{ type: 'refund', units: '6', payment: { payer: '0xaa' } }])
    expect(told).toEqual(['orders.payment.failed'])
    expect(view(endMs)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: {
        status: 'requires-quote',
        failureReason: {
          code: 'underpaid',
          message: '6 usdc of 10 usdc was paid before the quote expired. It goes back to its payer.',
        },
      },
    })
  })

  test('behavior: what is shown after the end of the quote refunds nothing that is not stored', () => {
    const { order } = play(open(), ...paid('a', 6))
    const before = structuredClone(order)
    expect(viewOrder(order, endMs, 'buyer')).toMatchObject({ phase: 'quote', quote: { status: 'expired' } })
    expect(order).toEqual(before)
    expect(play(order, ends).effects).toMatchObject([{ type: 'refund', units: '6' }])
  })

  test('behavior: 6 and 10: the payment of the whole price is accepted alone, and the part goes back', () => {
    const { order } = play(open(), ...paid('a', 6), ...paid('b', 10))
    expect(usesOf(order)).toEqual({ a: 'returned', b: 'accepted' })
    expect(backOf(order)).toEqual(['6 of a: duplicate'])
  })

  test('behavior: 6 and 12: the excess and the part go back', () => {
    const { order } = play(open(), ...paid('a', 6), ...paid('b', 12))
    expect(backOf(order)).toEqual(['2 of b: overpaid', '6 of a: duplicate'])
  })

  test('behavior: 6, 4 and 1: one more goes back as a duplicate', () => {
    const all = [seen('a', 6), seen('b', 4), seen('c', 1)]
    const { order } = play(open(), ...all, confirmed('a'), confirmed('b'), confirmed('c'))
    expect(usesOf(order)).toEqual({ a: 'accepted', b: 'accepted', c: 'returned' })
    expect(backOf(order)).toEqual(['1 of c: duplicate'])
  })

  test('behavior: 6 and 5: the excess goes back to the last payer', () => {
    const { order, effects } = play(open(), ...paid('a', 6), ...paid('b', 5, { payer: '0xdd' }))
    expect(backOf(order)).toEqual(['1 of b: overpaid'])
    expect(effects).toMatchObject([{ type: 'deliver' }, { type: 'refund', payment: { payer: '0xdd' } }])
  })

  test('behavior: each part goes back to its own payer', () => {
    const { effects } = play(open(), ...paid('a', 3), ...paid('b', 4, { payer: '0xdd' }), ends)
    expect(effects).toMatchObject([
      { type: 'refund', units: '3', payment: { id: 'a', payer: '0xaa' } },
      { type: 'refund', units: '4', payment: { id: 'b', payer: '0xdd' } },
    ])
  })

  test('behavior: another currency is no part, and goes back at once', () => {
    const { order } = play(open(), ...paid('a', 6), ...paid('b', 4, { currency: 'eth' }))
    expect(usesOf(order)).toEqual({ a: 'part', b: 'returned' })
    expect(backOf(order)).toEqual(['4 of b: unknown'])
  })

  test('behavior: the prepared transaction is offered still, and no other price is', () => {
    const { order } = play(open(), ...paid('a', 6))
    expect(transition(order, quoted([20]), 0).order).toBe(order)
  })
})

describe('a payment of which less arrived than it said', () => {
  const arrived = (paymentId: string, units: number): OrderEvent => ({
    type: 'payment-confirmed',
    paymentId,
    arrivedUnits: `${units}`,
  })

  test('behavior: what arrived is a part of the price, and goes back as such', () => {
    const waiting = play(open(), seen('a', 10), arrived('a', 9)).order
    expect(waiting).toMatchObject({ phase: 'payment', payments: [{ units: '9', use: 'part' }] })
    expect(backOf(play(waiting, ...paid('b', 2)).order)).toEqual(['1 of b: overpaid'])
    expect(backOf(play(waiting, ends).order)).toEqual(['9 of a: underpaid'])
  })

  test('behavior: nothing at all pays for nothing, and nothing goes back', () => {
    const { order } = play(open(), seen('a', 10), arrived('a', 0), ends)
    expect(order).toMatchObject({ phase: 'quote', refunds: [] })
  })

  test('behavior: a payment that was decided about keeps its amount', () => {
    const { order } = play(open(), ...paid('a', 10))
    expect(play(order, arrived('a', 9)).order).toBe(order)
  })
})

describe('the end of the quote', () => {
  const completed = [
    seen('b', 4, { minedAtMs: endMs }),
    ends,
    { at: endMs + 1, event: confirmed('b') },
  ] satisfies Step[]

  test('behavior: it waits for a payment in time that is not final yet', () => {
    const seenInTime = play(open(), ...paid('a', 6), ...completed.slice(0, 2))
    expect(seenInTime.order.phase).toBe('payment')
    expect(backOf(seenInTime.order)).toEqual([])
    const { order } = play(seenInTime.order, ...completed.slice(2))
    expect(order.phase).toBe('delivery')
    expect(backOf(order)).toEqual([])
  })

  test('behavior: if that payment is too little, or disappears, all parts go back with it', () => {
    const little = [seen('b', 3), ends, { at: endMs + 1, event: confirmed('b') }] satisfies Step[]
    const after = play(open(), ...paid('a', 6), ...little, ends)
    expect(after.order.phase).toBe('quote')
    expect(backOf(after.order)).toEqual(['6 of a: underpaid', '3 of b: underpaid'])
    expect(after.effects.filter(({ type }) => type === 'refund')).toHaveLength(2)
    const gone: OrderEvent = { type: 'payment-reorganised-away', paymentId: 'b' }
    const away = play(open(), ...paid('a', 6), seen('b', 4), ends, { at: endMs + 1, event: gone }, ends)
    expect(backOf(away.order)).toEqual(['6 of a: underpaid'])
    expect(away.effects).toMatchObject([{ type: 'await-search' }, { type: 'refund', units: '6' }])
  })

  test('behavior: a payment mined after it completes nothing', () => {
    const late = [seen('b', 4, { minedAtMs: endMs + 1 }), confirmed('b')] as const
    const { order } = play(open(), ...paid('a', 6), ...late.map((event) => ({ at: endMs + 1, event })), {
      at: endMs + 2,
      event: { type: 'time-passed', searchedUntilMs: endMs + 1 },
    })
    expect(usesOf(order)).toEqual({ a: 'returned', b: 'returned' })
    expect(backOf(order).sort()).toEqual(['4 of b: expired', '6 of a: underpaid'])
  })

  test('behavior: parts wait until payments were looked for past it, and one in time completes them', () => {
    const before: Step = { at: endMs + 3, event: { type: 'time-passed', searchedUntilMs: endMs } }
    const waiting = play(open(), ...paid('a', 6), { at: endMs, event: { type: 'time-passed' } }, before)
    expect(waiting.order).toMatchObject({ phase: 'quote', quote: { status: 'expired' } })
    expect(usesOf(waiting.order)).toEqual({ a: 'part' })
    expect(waiting.effects).toEqual([{ type: 'await-search' }])
    const inTime = [seen('b', 4, { minedAtMs: endMs }), confirmed('b')] as const
    const { order } = play(waiting.order, ...inTime.map((event) => ({ at: endMs + 5, event })))
    expect(order.phase).toBe('delivery')
    expect(usesOf(order)).toEqual({ a: 'accepted', b: 'accepted' })
    expect(backOf(play(waiting.order, ends).order)).toEqual(['6 of a: underpaid'])
  })

  test('behavior: what was sent back at the end is not counted for a payment in time that is seen later', () => {
    const inTime = [seen('b', 4, { minedAtMs: endMs }), confirmed('b')] as const
    const { order } = play(
      open(),
      ...paid('a', 6),
      ends,
      ...inTime.map((event) => ({ at: endMs + 5, event })),
      ends,
    )
    expect(order.phase).toBe('quote')
    expect(backOf(order)).toEqual(['6 of a: underpaid', '4 of b: underpaid'])
  })
})

describe('an earlier price', () => {
  const dearer = quoted([14], 2 * endMs)

  test('behavior: parts that reach it are accepted at it, and others wait for the present one', () => {
    const changed = play(open([12]), dearer).order
    const { order } = play(changed, ...paid('a', 6), ...paid('b', 6))
    expect(order).toMatchObject({ phase: 'delivery', quote: { totalUnits: '12' } })
    expect(backOf(order)).toEqual([])
    const late = play(changed, ...paid('a', 6), ...paid('b', 6, { minedAtMs: endMs + 1 }))
    expect(late.order).toMatchObject({ phase: 'payment', quote: { totalUnits: '14' } })
    const full = play(late.order, ...paid('c', 2, { minedAtMs: endMs + 1 })).order
    expect(full).toMatchObject({ phase: 'delivery', quote: { totalUnits: '14' } })
    expect(usesOf(full)).toEqual({ a: 'accepted', b: 'accepted', c: 'accepted' })
  })

  test('behavior: a part that came too late for it goes back when the others reach it', () => {
    const changed = play(open([12]), dearer).order
    const late = { minedAtMs: endMs + 1 }
    const { order } = play(changed, ...paid('late', 5, late), ...paid('a', 6), ...paid('b', 6))
    expect(order).toMatchObject({ phase: 'delivery', quote: { totalUnits: '14' } })
    expect(backOf(order)).toEqual(['3 of b: overpaid'])
    const short = play(changed, ...paid('late', 1, late), ...paid('a', 6), ...paid('b', 6)).order
    expect(short).toMatchObject({ phase: 'delivery', quote: { totalUnits: '12' } })
    expect(usesOf(short)).toEqual({ late: 'returned', a: 'accepted', b: 'accepted' })
    expect(backOf(short)).toEqual(['1 of late: duplicate'])
  })
})

describe('a new quote after everything went back', () => {
  const requoted = quoted([10], 5 * endMs)
  /** A part was paid under the first quote and goes back, and the order is quoted again. */
  const again = (...more: readonly Step[]) => play(open(), ...paid('a', 6), ends, ...more)
  const at = (atMs: number, ...events: readonly OrderEvent[]): Step[] =>
    events.map((event) => ({ at: atMs, event }))
  const later = { minedAtMs: 2 * endMs }

  test('default: it is paid and delivered, and what went back goes on going back', () => {
    const { order, told, view } = again(requoted)
    expect(order).toMatchObject({ phase: 'payment', quote: { status: 'valid' } })
    expect(told).toEqual(['orders.payment.failed', 'orders.quote.updated'])
    expect(dueUnits(order)).toBe(10n)
    expect(view()).toMatchObject({
      payment: {
        status: 'awaiting-payment',
        received: { amount: '6', txId: 'tx-a' },
        transactions: [{ txId: 'tx-a', use: 'returned' }],
      },
    })
    // Both say something of the first quote.
    expect(view().payment).not.toHaveProperty('failureReason')
    expect(view().payment).not.toHaveProperty('remaining')
    const sent: OrderEvent = { type: 'refund-sent', refundId: 'refund:order:0', txId: 'back' }
    const done = play(order, sent, ...at(2 * endMs, ...paid('b', 10, later), delivered(0)))
    expect(done.order).toMatchObject({ phase: 'completed', refunds: [{ status: 'sent', units: '6' }] })
    expect(backOf(done.order)).toEqual(['6 of a: underpaid'])
    expect(usesOf(done.order)).toEqual({ a: 'returned', b: 'accepted' })
    expect(done.told).toContain('orders.payment.succeeded')
    expect(done.view().payment).toMatchObject({
      received: { amount: '16', txId: 'tx-b' },
      refunded: { amount: '6', txId: 'back', causes: ['underpaid'] },
    })
  })

  test('behavior: what went back is no part of the new price', () => {
    const { order } = again(requoted, ...at(2 * endMs, ...paid('b', 4, later)))
    expect(usesOf(order)).toEqual({ a: 'returned', b: 'part' })
    expect(dueUnits(order)).toBe(6n)
    expect(transition(order, requoted, 2 * endMs).order).toBe(order)
    const rest = play(order, ...at(2 * endMs, ...paid('c', 6, later)))
    expect(rest.order.phase).toBe('delivery')
    expect(usesOf(rest.order)).toEqual({ a: 'returned', b: 'accepted', c: 'accepted' })
  })

  test('behavior: it takes no new quote while a payment may still pay', () => {
    const undecided = play(open(), seen('late', 10, { minedAtMs: endMs + 1 }), ends).order
    expect(transition(undecided, requoted, 2 * endMs).order).toBe(undecided)
    const waiting = play(open(), ...paid('a', 6), { at: endMs, event: { type: 'time-passed' } }).order
    expect(waiting.phase).toBe('quote')
    expect(transition(waiting, requoted, 2 * endMs).order).toBe(waiting)
    expect(viewOrder(waiting, endMs, 'buyer').payment.transactions).toMatchObject([{ use: 'part' }])
  })

  test('behavior: a payment in time of the first quote is honoured when it is found late', () => {
    const cheaper = quoted([10], endMs)
    const dearer = quoted([14], 5 * endMs)
    const { order } = play(open(), cheaper, ...paid('a', 6), ends, dearer, ...paid('b', 10))
    expect(order).toMatchObject({ phase: 'delivery', quote: { totalUnits: '10' } })
    expect(usesOf(order)).toEqual({ a: 'returned', b: 'accepted' })
    const little = play(open(), cheaper, ...paid('a', 6), ends, dearer, ...paid('b', 4)).order
    expect(little).toMatchObject({ phase: 'payment', quote: { totalUnits: '14' } })
    expect(usesOf(little)).toEqual({ a: 'returned', b: 'part' })
  })

  test('behavior: several attempts go back one after another', () => {
    const second: Step = { at: 5 * endMs, event: { type: 'time-passed', searchedUntilMs: 5 * endMs + 1 } }
    const { order } = again(
      requoted,
      ...at(2 * endMs, ...paid('b', 9, later)),
      second,
      quoted([10], 9 * endMs),
    )
    expect(backOf(order)).toEqual(['6 of a: underpaid', '9 of b: underpaid'])
    expect(order).toMatchObject({ phase: 'payment', quote: { totalUnits: '10' } })
  })

  test('behavior: a reorganisation of what went back changes neither the quote nor a refund', () => {
    const { order } = again(requoted)
    const gone: OrderEvent = { type: 'payment-reorganised-away', paymentId: 'a' }
    expect(transition(order, gone, endMs).order).toBe(order)
    const without = play(order, lost('a')).order
    expect(usesOf(without)).toEqual({ a: 'returned, lost' })
    expect(without).toMatchObject({ phase: 'payment', quote: { status: 'valid' } })
    expect(viewOrder(without, endMs, 'buyer').payment).not.toHaveProperty('transactions')
    expect(dueUnits(without)).toBe(10n)
    // Found again in another block, with another amount, it stays what it was.
    const found = play(without, ...at(2 * endMs, seen('a', 10, later), confirmed('a'))).order
    expect(usesOf(found)).toEqual({ a: 'returned' })
    expect(backOf(found)).toEqual(['6 of a: underpaid'])
    expect(dueUnits(found)).toBe(10n)
    const done = play(without, ...at(2 * endMs, ...paid('b', 10, later))).order
    expect(done.phase).toBe('delivery')
    expect(backOf(play(done, confirmed('a')).order)).toEqual(['6 of a: underpaid'])
  })

  test('behavior: a change of the order leaves the refund where it was to go, and in its turn', () => {
    const named: OrderEvent = { type: 'refund-address-named', address: '0xmine' }
    const { order: first } = play(open(), named, ...paid('a', 6), ends)
    const terms = termsOf([20], 5 * endMs)
    const payment = { ...terms.payment, payerAddress: '0xthief', refundAddress: '0xtheirs' }
    const changed = play(first, { type: 'quoted', terms: { ...terms, payment } }).order
    const begun = atRefund(changed, 'refund:order:0')
    expect(begun.payment).toMatchObject({ payerAddress: '0xaa', refundAddress: '0xmine' })
    expect(begun.quote.totalUnits).toBe('10')
    expect(atRefund(changed, 'refund:order:1')).toBe(changed)
    // What is paid from now on goes to the new address, and a second change keeps the first refund's.
    expect(changed.payment.refundAddress).toBe('0xtheirs')
    const twice = play(changed, { type: 'quoted', terms }).order
    expect(atRefund(twice, 'refund:order:0').payment.refundAddress).toBe('0xmine')
    const byMerchant = play(twice, { type: 'refund-address-named', address: '0xshop' }).order
    expect(atRefund(byMerchant, 'refund:order:0').payment.refundAddress).toBe('0xshop')
  })

  test('behavior: a held refund is shown, also in another currency than what is paid next', () => {
    const held: OrderEvent = { type: 'refund-held', refundId: 'refund:order:0', heldAs: 'contract-payer' }
    const { order } = again(held)
    const terms = termsOf([10], 5 * endMs)
    const inEth = { ...terms, payment: { ...terms.payment, currency: 'eth' } }
    const eth = { ...later, currency: 'eth' }
    const { view, order: paidInEth } = play(
      order,
      { type: 'quoted', terms: inEth },
      ...at(2 * endMs, ...paid('b', 10, eth)),
    )
    expect(paidInEth.phase).toBe('delivery')
    expect(view().payment).toMatchObject({
      received: { amount: '10', currency: 'eth' },
      refundHeld: { amount: '6', currency: 'usdc', reason: 'contract-payer' },
    })
  })

  test('behavior: the report of a payment that went back does not fail the new quote, and a new one does', () => {
    const report = (txId: string): OrderEvent => ({ type: 'payment-reported', txId })
    const fails = (txId: string): OrderEvent => ({ type: 'payment-failed', txId, code: 'tx-id-not-found' })
    const { order } = play(open(), report('TX-a'), ...paid('a', 6), ends, requoted)
    expect(transition(order, fails('TX-a'), 2 * endMs).order).toBe(order)
    const next = play(order, report('tx-b'), fails('tx-b'))
    expect(next.order.payment.failureReason).toMatchObject({ code: 'tx-id-not-found' })
    expect(next.told).toEqual(['orders.payment.failed'])
  })

  test('behavior: a promotion that makes it free can be claimed, and the refund goes on', () => {
    const { order } = again(quoted([0], 5 * endMs), { at: 2 * endMs, event: { type: 'claim-requested' } })
    expect(order.phase).toBe('delivery')
    expect(backOf(order)).toEqual(['6 of a: underpaid'])
    expect(isClaimed(order)).toBe(true)
  })
})

describe('capture', () => {
  const held = () => play(open([10], true), ...paid('a', 6), ...paid('b', 5)).order

  test('behavior: what was paid together is captured together', () => {
    expect(held()).toMatchObject({ phase: 'delivery', capture: { status: 'requires-capture' } })
    expect(viewOrder(held(), 0, 'merchant').payment.balances).toMatchObject({ captured: '0', refunded: '1' })
    const { order, effects } = play(held(), { type: 'capture-requested' })
    expect(effects).toEqual([{ type: 'deliver', lineItemIndex: 0 }])
    expect(viewOrder(order, 0, 'merchant').payment.balances).toMatchObject({ captured: '11', refunded: '1' })
  })

  test.each([
    ['a void', 'voided', { at: 0, event: { type: 'void-requested' } }],
    ['the deadline', 'capture-expired', { at: windowMs, event: { type: 'time-passed' } }],
  ] as const)('behavior: %s pays back what is left of each', (_, reason, step) => {
    const { order } = play(held(), step)
    expect(backOf(order)).toEqual(['1 of b: overpaid', `6 of a: ${reason}`, `4 of b: ${reason}`])
  })

  test('behavior: while one of them is lost, nothing is decided', () => {
    const { order } = play(held(), lost('a', 0))
    expect(transition(order, { type: 'capture-requested' }, 0).order).toBe(order)
    expect(transition(order, { type: 'void-requested' }, 0).order).toBe(order)
    expect(backOf(play(order, confirmed('a'), { type: 'void-requested' }).order)).toEqual([
      '1 of b: overpaid',
      '6 of a: voided',
      '4 of b: voided',
    ])
  })
})

describe('line items that are not delivered', () => {
  test('behavior: their price is taken from the last payment first, never more than is left of it', () => {
    const { order, effects } = play(
      open([5, 7]),
      ...paid('a', 4),
      ...paid('b', 4),
      ...paid('c', 5),
      failed(1),
      delivered(0),
    )
    expect(backOf(order)).toEqual(['1 of c: overpaid', '4 of c: undelivered', '3 of b: undelivered'])
    expect(order.phase).toBe('completed')
    expect(effects.filter(({ type }) => type === 'sweep')).toEqual([])
    const sent = order.refunds.map(({ id }): OrderEvent => ({ type: 'refund-sent', refundId: id, txId: 'x' }))
    expect(play(order, ...sent).effects).toEqual([{ type: 'sweep' }])
  })

  test('behavior: while one payment is lost they wait for it', () => {
    const { order } = play(open([5, 7]), ...paid('a', 6), ...paid('b', 6), lost('a', 0), failed(0))
    expect(order.lineItems.map(({ delivery }) => delivery.status)).toEqual([
      'awaiting-payment',
      'awaiting-payment',
    ])
    expect(backOf(order)).toEqual([])
  })
})

describe('a reorganisation that takes one of the payments back', () => {
  const both = () => play(open([5, 5]), ...paid('a', 6), ...paid('b', 4)).order

  test('behavior: with nothing sent, the others are parts again, and count once the payment is back', () => {
    const { order, told } = play(both(), lost('a'))
    expect(order).toMatchObject({ phase: 'payment', payment: { status: 'awaiting-payment' } })
    expect(usesOf(order)).toEqual({ b: 'part' })
    expect(told).toEqual(['orders.payment.failed'])
    const back = play(order, ...paid('a', 6))
    expect(usesOf(back.order)).toEqual({ b: 'accepted', a: 'accepted' })
    expect(backOf(back.order)).toEqual([])
    expect(backOf(play(order, ends).order)).toEqual(['4 of b: underpaid'])
  })

  test('behavior: after the end of the quote the others go back', () => {
    const { order, effects } = play(both(), { at: endMs, event: lost('a') }, ends)
    expect(order.phase).toBe('quote')
    expect(effects.slice(-2)).toMatchObject([
      { type: 'await-search' },
      { type: 'refund', units: '4', payment: { id: 'b' } },
    ])
  })

  test('behavior: what is left of one that went back in part goes back', () => {
    const over = play(open([5, 5]), ...paid('a', 6), ...paid('b', 5)).order
    const first = play(over, lost('a')).order
    expect(usesOf(first)).toEqual({ b: 'returned' })
    expect(backOf(first)).toEqual(['1 of b: overpaid', '4 of b: underpaid'])
    const last = play(over, lost('b')).order
    expect(usesOf(last)).toEqual({ a: 'part', b: 'returned, lost' })
    expect(backOf(last)).toEqual(['1 of b: overpaid'])
    const regained = play(last, confirmed('b'), ends).order
    expect(usesOf(regained)).toEqual({ a: 'returned', b: 'returned' })
    expect(backOf(regained)).toEqual(['1 of b: overpaid', '4 of b: underpaid', '6 of a: underpaid'])
  })

  test('behavior: a part that is lost counts no more, until it is seen again', () => {
    const { order } = play(open(), ...paid('a', 6), lost('a'), ...paid('b', 4))
    expect(usesOf(order)).toEqual({ b: 'part' })
    expect(play(order, ...paid('a', 6)).order.phase).toBe('delivery')
  })

  test('behavior: with something sent, the rest waits until every payment is back', () => {
    const waiting = play(both(), delivered(0), lost('a', 0), lost('b', 0))
    expect(waiting.order).toMatchObject({
      phase: 'delivery',
      lineItems: [{}, { delivery: { status: 'awaiting-payment' } }],
    })
    expect(viewOrder(waiting.order, 0, 'merchant').payment.balances).toBeUndefined()
    expect(planRefund(waiting.order, {})).toEqual({
      refusal: 'The blockchain has taken the payment of this order back',
    })
    const one = play(waiting.order, confirmed('b'))
    expect(one.effects).toEqual([])
    expect(one.order.payment.failureReason).toBeDefined()
    const { order, effects, told } = play(one.order, confirmed('a'))
    expect(effects).toEqual([{ type: 'deliver', lineItemIndex: 1 }])
    expect(told).toContain('orders.payment.succeeded')
    expect(order.payment.failureReason).toBeUndefined()
  })

  test('behavior: no proceeds move while one of them is lost', () => {
    const lacking = play(both(), lost('a', 0, 1), delivered(0), delivered(1))
    expect(lacking.effects).not.toContainEqual({ type: 'sweep' })
    expect(play(lacking.order, confirmed('a')).effects).toEqual([{ type: 'sweep' }])
  })
})

describe('a refund by the merchant', () => {
  const sold = () => play(open([5, 7]), ...paid('a', 4), ...paid('b', 8), delivered(0), delivered(1)).order
  const request = (order: OrderState, body: Parameters<typeof planRefund>[1]) => {
    const shares = planRefund(order, body)
    if ('refusal' in shares) throw new Error(shares.refusal)
    return play(order, { type: 'refund-requested', request: { shares, reason: 'sorry' } }).order
  }

  test('behavior: one that the last payment covers is one refund of it', () => {
    expect(backOf(request(sold(), { lineItems: [{ index: 1 }] }))).toEqual(['7 of b: requested'])
  })

  test('behavior: a larger one is one refund of each payment, and their shares add up', () => {
    const order = request(sold(), {})
    expect(order.refunds).toMatchObject([
      {
        paymentId: 'b',
        units: '8',
        source: 'treasury',
        request: {
          reason: 'sorry',
          shares: [
            { lineItemIndex: 0, units: '5' },
            { lineItemIndex: 1, units: '3' },
          ],
        },
      },
      {
        paymentId: 'a',
        units: '4',
        source: 'treasury',
        request: { reason: 'sorry', shares: [{ lineItemIndex: 1, units: '4' }] },
      },
    ])
    expect(viewOrder(order, 0, 'merchant').payment.balances).toEqual({
      captured: '12',
      refunded: '12',
      refundable: '0',
    })
  })

  test('behavior: the next one takes what is left', () => {
    const first = request(sold(), { amount: '9' })
    expect(backOf(first)).toEqual(['8 of b: requested', '1 of a: requested'])
    const second = request(first, {})
    expect(backOf(second).slice(2)).toEqual(['3 of a: requested'])
    expect(planRefund(second, { amount: '1' })).toHaveProperty('refusal')
  })
})
