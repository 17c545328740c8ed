import { expect, test } from 'vitest'
import { acceptsPayment } from '../../../src/engine/order/applyQuote.js'
import type { OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { FundsCheck, LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { changeTerms } from '../../../src/engine/order/terms.js'
import { transition } from '../../../src/engine/order/transition.js'
import { viewOrder } from '../../../src/engine/order/view.js'

/** Long enough after the epoch that no report of a payment is recent. */
const startMs = 1_000_000
const endMs = startMs + 1_000
const chain = 'base-sepolia'
const authorizationOf = (nonce: string) => ({
  kind: 'erc3009' as const,
  typedData: { domain: {}, types: {}, primaryType: 'TransferWithAuthorization', message: { nonce } },
})
const authorization = authorizationOf('0x01')
const shop = { gas: 'shop' as const, authorization }
const ready: FundsCheck = { status: 'ready', serializedTransaction: '0x02', ...shop }

const termsOf = (funds: FundsCheck | undefined, change: Partial<QuotedTerms> = {}): QuotedTerms => {
  const charges = { unitUnits: '9', salesTaxUnits: '0', shippingUnits: '0', totalUnits: '9' }
  const item: LineItemState = {
    collectionId: 'tea',
    chain,
    quantity: 1,
    callData: {},
    metadata: { name: 'Tea', description: '', imageUrl: '' },
    quote: { status: 'valid', charges },
    delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
  }
  return {
    locale: 'en-US',
    recipient: { walletAddress: '0xbb' },
    lineItems: [item],
    quote: { status: 'valid', expiresAtMs: endMs, totalUnits: '9' },
    payment: { chain, currency: 'usdc', decimals: 0, payerAddress: '0xaa' },
    ...(funds && { funds }),
    ...change,
  }
}

const open = (funds: FundsCheck | undefined = ready, change: Partial<QuotedTerms> = {}): OrderState => {
  const terms = termsOf(funds, change)
  return transition(newOrder('order', 'project', terms), { type: 'quoted', terms }, startMs).order
}
const play = (order: OrderState, event: OrderEvent, nowMs = startMs) => transition(order, event, nowMs).order
const paymentOf = (order: OrderState, nowMs = startMs) => viewOrder(order, nowMs, 'buyer').payment
const seen = (units: string, minedAtMs = startMs): OrderEvent => ({
  type: 'payment-seen',
  payment: { id: 'p', chain, currency: 'usdc', decimals: 0, units, payer: '0xaa', txId: '0xtx', minedAtMs },
})

test('default: the order shows what may be signed, and who pays the gas', () => {
  expect(paymentOf(open())).toMatchObject({
    gas: 'shop',
    preparation: { authorization, serializedTransaction: '0x02' },
  })
})

test('behavior: without gas, only the authorization may be signed; without the money, nothing', () => {
  const poor = paymentOf(open({ status: 'insufficient-funds-for-gas', ...shop }))
  expect(poor).toMatchObject({ gas: 'shop', preparation: { authorization } })
  expect(poor.preparation).not.toHaveProperty('serializedTransaction')
  const broke = paymentOf(open({ status: 'insufficient-funds', ...shop }))
  expect(broke).not.toHaveProperty('gas')
  expect(broke.preparation).not.toHaveProperty('authorization')
})

test('behavior: while details of the buyer are missing, nothing may be signed', () => {
  const [item] = termsOf(ready).lineItems
  if (!item) throw new Error('no item')
  const order = open(ready, { lineItems: [{ ...item, requires: ['receipt-email'] }] })
  expect(order.payment).toMatchObject({ status: 'requires-email' })
  expect(order.payment).not.toHaveProperty('authorization')
})

test('behavior: what was offered stays while it says the same, and is renewed when it says something else', () => {
  const order = open()
  const dearer: FundsCheck = { status: 'ready', serializedTransaction: '0x03', gas: 'payer' }
  expect(play(order, { type: 'funds-checked', funds: dearer })).toBe(order)
  expect(play(order, { type: 'funds-checked', funds: { ...ready } })).toBe(order)
  const other = { ...ready, authorization: authorizationOf('0x09') }
  expect(play(order, { type: 'funds-checked', funds: other }).payment.authorization).toEqual(
    other.authorization,
  )
  const later = play(open({ status: 'ready', serializedTransaction: '0x02', gas: 'payer' }), {
    type: 'funds-checked',
    funds: ready,
  })
  expect(later.payment).toMatchObject(shop)
  const short = play(order, { type: 'funds-checked', funds: { status: 'insufficient-funds-for-gas' } })
  expect(short.payment).toMatchObject({ status: 'crypto-payer-insufficient-funds-for-gas', ...shop })
  expect(short.payment).not.toHaveProperty('serializedTransaction')
})

test('behavior: of another amount, another price and an ended quote, nothing is left to sign', () => {
  const part = play(play(open(), seen('4')), { type: 'payment-confirmed', paymentId: 'p' })
  expect(part.payment).not.toHaveProperty('authorization')
  expect(part.payment).not.toHaveProperty('gas')
  const ended = play(open(), { type: 'time-passed' }, endMs)
  expect(ended.payment).not.toHaveProperty('authorization')
  expect(paymentOf(open(), endMs)).not.toHaveProperty('gas')
  expect(changeTerms(open(), {}).payment).not.toHaveProperty('authorization')
})

test('behavior: an order accepts what is left of its price, in time, once', () => {
  const paid = { chain, currency: 'usdc', units: '9', minedAtMs: startMs }
  const order = open()
  expect(acceptsPayment(order, paid)).toBe(true)
  expect(acceptsPayment(order, { ...paid, minedAtMs: endMs })).toBe(true)
  for (const change of [
    { units: '8' },
    { chain: 'polygon-amoy' },
    { currency: 'usdxm' },
    { minedAtMs: endMs + 1 },
  ]) {
    expect(acceptsPayment(order, { ...paid, ...change })).toBe(false)
  }
  expect(acceptsPayment(play(order, seen('9')), paid)).toBe(false)
  const done = play(play(order, seen('9')), { type: 'payment-confirmed', paymentId: 'p' })
  expect(acceptsPayment(done, paid)).toBe(false)
  const part = play(play(order, seen('4')), { type: 'payment-confirmed', paymentId: 'p' })
  expect(acceptsPayment(part, { ...paid, units: '5' })).toBe(true)
  expect(acceptsPayment(part, { ...paid, units: '4' })).toBe(false)
  const dearer = play(order, {
    type: 'quoted',
    terms: termsOf(ready, { quote: { status: 'valid', expiresAtMs: endMs + 1_000, totalUnits: '12' } }),
  })
  expect(acceptsPayment(dearer, paid)).toBe(true)
  expect(acceptsPayment(dearer, { ...paid, minedAtMs: endMs + 1 })).toBe(false)
})
