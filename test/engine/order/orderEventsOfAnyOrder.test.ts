import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainUneditable } from '../../../src/engine/order/applyQuote.js'
import type { OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { type OrderEventType, orderEvents } from '../../../src/engine/order/orderEvents.js'
import { transition } from '../../../src/engine/order/transition.js'
import { viewOrder } from '../../../src/engine/order/view.js'
import { isChangeable } from '../../../src/order/payment.js'

const startMs = 1_000_000
const ttlMs = 10_000

const termsOf = (units: readonly number[], nowMs: number): QuotedTerms => ({
  locale: 'en-US',
  recipient: { walletAddress: '0xbb' },
  lineItems: units.map((unit): LineItemState => {
    const charges = { unitUnits: `${unit}`, salesTaxUnits: '0', shippingUnits: '0', totalUnits: `${unit}` }
    return {
      collectionId: 'tea',
      chain: 'base-sepolia',
      quantity: 1,
      callData: { quantity: 1 },
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote: { status: 'valid', charges },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
    }
  }),
  quote: {
    status: 'valid',
    quotedAtMs: nowMs,
    expiresAtMs: nowMs + ttlMs,
    totalUnits: `${units.reduce((sum, unit) => sum + unit, 0)}`,
  },
  payment: { chain: 'base-sepolia', currency: 'eth', decimals: 18, payerAddress: '0xaa' },
  funds: { status: 'ready', serializedTransaction: '0x02' },
})

type Step = { kind: string; units: number[]; id: string; at: number; amount: number; waitMs: number }
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'quoted',
    'funds',
    'time',
    'seen',
    'seen',
    'confirmed',
    'confirmed',
    'gone',
    'done',
    'shown',
    'settled',
    'undone',
    'failed',
  ),
  units: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
  id: fc.constantFrom('a', 'b', 'c'),
  at: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 1, max: 8 }),
  waitMs: fc.constantFrom(0, 0, 1_000, 6_000),
})

const toEvent = ({ kind, units, id, at, amount }: Step, nowMs: number): OrderEvent => {
  const [chain, currency, decimals] = ['base-sepolia', 'eth', 18] as const
  switch (kind) {
    case 'quoted':
      return { type: 'quoted', terms: termsOf(units, nowMs) }
    case 'funds':
      return { type: 'funds-checked', funds: { status: 'insufficient-funds' } }
    case 'seen': {
      const payment = { id, chain, currency, decimals, units: `${amount}`, payer: '0xaa' }
      return { type: 'payment-seen', payment: { ...payment, txId: id, minedAtMs: nowMs } }
    }
    case 'confirmed':
      return { type: 'payment-confirmed', paymentId: id }
    case 'gone':
      return { type: 'payment-reorganised-away', paymentId: id }
    case 'done':
      return { type: 'item-delivered', lineItemIndex: at, txId: 'tx', walletAddress: '0xbb', tokens: [] }
    case 'shown':
      return {
        type: 'item-delivered',
        lineItemIndex: at,
        txId: 'tx',
        walletAddress: '0xbb',
        tokens: [],
        isSettling: true,
      }
    case 'settled':
      return { type: 'item-settled', lineItemIndex: at, txId: 'tx' }
    case 'undone':
      return { type: 'item-undone', lineItemIndex: at, attempt: 1 }
    case 'failed':
      return { type: 'item-failed', lineItemIndex: at }
    default:
      return { type: 'time-passed' }
  }
}

/** How many payments of an order went back because they did not pay for it. The parts of a price go back together. */
const countReturned = ({ refunds }: OrderState): number =>
  new Set(
    refunds
      .filter(({ reason }) => reason === 'underpaid' || reason === 'expired' || reason === 'unknown')
      .map(({ paymentId }) => paymentId),
  ).size

const everywhere = (
  check: (all: OrderEventType[], order: OrderState, returns: number) => void,
  checkStep: (step: { event: OrderEvent; isSame: boolean; told: OrderEventType[] }) => void,
) =>
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      let nowMs = startMs
      const first = termsOf([2, 3], nowMs)
      let { order } = transition(newOrder('order', 'project', first), { type: 'quoted', terms: first }, nowMs)
      const all: OrderEventType[] = []
      let returns = 0
      for (const step of steps) {
        nowMs += step.waitMs
        const event = toEvent(step, nowMs)
        const after = transition(order, event, nowMs).order
        const told = orderEvents(order, after)
        checkStep({ event, told, isSame: JSON.stringify(order) === JSON.stringify(after) })
        all.push(...told)
        if (countReturned(after) > countReturned(order)) returns++
        order = after
      }
      check(all, order, returns)
    }),
    { numRuns: 1_000 },
  )

test('behavior: for any sequence of events, an unchanged order emits nothing', () => {
  everywhere(
    () => {},
    ({ isSame, told }) => expect(isSame ? told : []).toEqual([]),
  )
})

test('behavior: for any sequence of events, only a new quote emits a quote event', () => {
  everywhere(
    () => {},
    ({ event, told }) => {
      expect(told).not.toContain('orders.quote.created')
      if (event.type !== 'quoted') expect(told).not.toContain('orders.quote.updated')
    },
  )
})

test("behavior: for any sequence of events, the emitted ones add up to the order's state", () => {
  everywhere(
    (all, order, returns) => {
      const { phase, payments, payment, lineItems } = order
      const count = (type: OrderEventType) => all.filter((told) => told === type).length
      const isPaid = payment.status === 'completed'
      expect(count('orders.payment.succeeded')).toBe(isPaid ? 1 : 0)
      expect(count('orders.delivery.initiated')).toBe(isPaid ? 1 : 0)
      expect(count('orders.payment.failed')).toBe(returns)
      expect(payments.filter(({ use }) => use === 'returned').length).toBeGreaterThanOrEqual(
        countReturned(order),
      )
      const having = (status: string) => lineItems.filter(({ delivery }) => delivery.status === status).length
      expect(count('orders.delivery.failed')).toBe(having('failed'))
      const isDelivered = phase === 'completed' && having('completed') > 0
      expect(count('orders.delivery.completed')).toBe(isDelivered ? 1 : 0)
    },
    () => {},
  )
})

test('behavior: for any sequence of events, a shop takes for changeable what the service changes', () => {
  everywhere(
    (_, order) => {
      const isRefused = explainUneditable(order) !== undefined
      expect(isChangeable(viewOrder(order, startMs, 'buyer'))).toBe(!isRefused)
    },
    () => {},
  )
})
