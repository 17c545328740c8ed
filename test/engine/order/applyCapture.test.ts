import { expect, test } from 'vitest'
import type { OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { transition } from '../../../src/engine/order/transition.js'
import { viewOrder } from '../../../src/engine/order/view.js'

const windowMs = 1_000
const charges = { unitUnits: '10', salesTaxUnits: '0', shippingUnits: '0', totalUnits: '10' }
const item: LineItemState = {
  collectionId: 'tea',
  chain: 'base-sepolia',
  quantity: 1,
  callData: {},
  metadata: { name: 'Tea', description: '', imageUrl: '' },
  quote: { status: 'valid', charges },
  delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
}
const terms: QuotedTerms = {
  locale: 'en-US',
  recipient: { walletAddress: '0xbb' },
  lineItems: [item],
  quote: { status: 'valid', expiresAtMs: 100, totalUnits: '10' },
  payment: { chain: 'base-sepolia', currency: 'eth', decimals: 18, payerAddress: '0xaa' },
}
const payment = {
  chain: 'base-sepolia',
  currency: 'eth',
  decimals: 18,
  payer: '0xaa',
  txId: '0x1',
  minedAtMs: 0,
}
const confirmed: OrderEvent = { type: 'payment-confirmed', paymentId: 'p' }
const lost: OrderEvent = { type: 'payment-lost', paymentId: 'p', sentItems: [] }
const captured: OrderEvent = { type: 'capture-requested' }
const voided: OrderEvent = { type: 'void-requested' }
const late: OrderEvent = { type: 'time-passed' }

const play = (order: OrderState, steps: readonly (readonly [OrderEvent, number])[]) =>
  steps.reduce(
    ({ state, effects }, [event, nowMs]) => {
      const next = transition(state, event, nowMs)
      return { state: next.order, effects: [...effects, ...next.effects.map(({ type }) => type)] }
    },
    { state: order, effects: [] as string[] },
  )

/** A paid order that waits for the merchant. */
const held = (units = '10'): OrderState =>
  play({ ...newOrder('order', 'project', terms), capture: { windowMs } }, [
    [{ type: 'quoted', terms }, 0],
    [{ type: 'payment-seen', payment: { id: 'p', units, ...payment } }, 0],
    [confirmed, 0],
  ]).state

test('default: nothing is delivered before the capture', () => {
  expect(held()).toMatchObject({
    phase: 'delivery',
    capture: { status: 'requires-capture', deadlineMs: windowMs },
  })
  expect(viewOrder(held(), 0, 'buyer').lineItems[0]?.delivery.status).toBe('in-progress')
  const { state, effects } = play(held(), [[captured, windowMs - 1]])
  expect(state).toMatchObject({
    capture: { status: 'captured' },
    lineItems: [{ delivery: { status: 'in-progress' } }],
  })
  expect(effects).toEqual(['deliver'])
})

test('behavior: at the deadline it is too late to capture, and the payment goes back', () => {
  const order = held()
  expect(play(order, [[captured, windowMs]]).state).toBe(order)
  expect(play(order, [[late, windowMs - 1]]).state).toBe(order)
  const { state, effects } = play(order, [[late, windowMs]])
  expect(state).toMatchObject({
    phase: 'completed',
    capture: { status: 'expired' },
    refunds: [{ units: '10' }],
  })
  expect(effects).toEqual(['refund'])
})

test('behavior: the first decision stands', () => {
  const kept = play(held(), [[captured, 1]]).state
  const gone = play(held(), [[voided, 1]]).state
  for (const event of [captured, voided, late]) {
    expect(play(kept, [[event, 2 * windowMs]]).state).toBe(kept)
    expect(play(gone, [[event, 2 * windowMs]]).state).toBe(gone)
  }
})

test('behavior: a void pays back what the refund of an excess has left', () => {
  const { state } = play(held('13'), [[voided, 1]])
  expect(state.refunds).toMatchObject([
    { units: '3', reason: 'overpaid' },
    { units: '10', reason: 'voided' },
  ])
})

test('behavior: while the payment is lost nothing is decided; once it is back, the order waits again', () => {
  // The refund of the excess keeps the order in its phase.
  const without = play(held('13'), [[lost, 1]]).state
  for (const event of [captured, voided, late]) expect(play(without, [[event, windowMs]]).state).toBe(without)
  const back = play(without, [[confirmed, windowMs - 1]])
  expect(back.effects).toEqual([])
  expect(back.state).toMatchObject({
    capture: { status: 'requires-capture' },
    lineItems: [{ delivery: { status: 'awaiting-payment' } }],
  })
  // The deadline passed meanwhile.
  const over = play(without, [[confirmed, windowMs]])
  expect(over.state).toMatchObject({ phase: 'completed', capture: { status: 'expired' } })
  expect(over.effects).toEqual(['refund'])
})

test('behavior: an order that is unpaid again has a new deadline with its next payment', () => {
  const unpaid = play(held(), [[lost, 1]]).state
  expect(unpaid).toMatchObject({ phase: 'payment', capture: { windowMs } })
  expect(unpaid.capture?.status).toBeUndefined()
  const again = play(unpaid, [
    [{ type: 'payment-seen', payment: { id: 'q', units: '10', ...payment } }, 50],
    [{ type: 'payment-confirmed', paymentId: 'q' }, 60],
  ]).state
  expect(again.capture).toMatchObject({ status: 'requires-capture', deadlineMs: 60 + windowMs })
})
