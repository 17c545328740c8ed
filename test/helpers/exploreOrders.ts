import type { OrderEvent } from '../../src/engine/order/event.js'
import { newOrder } from '../../src/engine/order/newOrder.js'
import type {
  FundsCheck,
  OrderState,
  PaymentTerms,
  QuotedTerms,
  Recipient,
} from '../../src/engine/order/order.js'
import { quoteOrder } from '../../src/engine/order/quote.js'
import type { LineItemRequest } from '../../src/engine/order/quoteInput.js'
import { transition } from '../../src/engine/order/transition.js'

/** One change of what a client sees of an order, and the event that made it. */
export type Change = { from: string; event: OrderEvent['type']; to: string }

const startMs = 1_000_000
const endMs = startMs + 10_000
const price = '12'

const funds: readonly FundsCheck[] = [
  { status: 'ready', serializedTransaction: '0x02' },
  { status: 'insufficient-funds' },
  { status: 'insufficient-funds-for-gas' },
]

const item = (change: Partial<LineItemRequest['collection']> = {}): LineItemRequest => ({
  collection: {
    id: 'tea',
    chain: 'base-sepolia',
    name: 'Tea',
    description: '',
    imageUrl: '',
    requires: [],
    price: '0.000000000000000012',
    priceCurrency: 'eth',
    availableCount: undefined,
    isChainEnabled: true,
    ...change,
  },
  quantity: 1,
  callData: {},
  walletAddress: '0xbb',
})

/** The terms that the service itself makes of what is asked for. */
const quote = (asked: {
  item?: LineItemRequest
  recipient?: Recipient | undefined
  payment?: Partial<PaymentTerms>
}): QuotedTerms => {
  const { recipient } = { recipient: { walletAddress: '0xbb' }, ...asked }
  const payment = { chain: 'base-sepolia', currency: 'eth', decimals: 18, ...asked.payment }
  const config = {
    rates: { eth: '1' },
    quoteTtlMs: endMs - startMs,
    salesTaxBasisPoints: 0,
    shippingUsd: '0',
  }
  const quoted = quoteOrder({ items: [asked.item ?? item()], recipient, payment, nowMs: startMs }, config)
  return { locale: 'en-US', payment, ...quoted, ...(recipient && { recipient }) }
}

const payment = { payerAddress: '0xaa' }
const mailed = item({ requires: ['receipt-email'] })
const terms = quote({})
const withPayer = quote({ payment })

const seen = (units: string, minedAtMs: number): OrderEvent => ({
  type: 'payment-seen',
  payment: {
    id: `${units} at ${minedAtMs}`,
    chain: 'base-sepolia',
    currency: 'eth',
    decimals: 18,
    units,
    payer: '0xaa',
    txId: '0x01',
    minedAtMs,
  },
})
const payments = [seen(price, startMs), seen('11', startMs), seen(price, endMs + 1)]
const paymentIds = payments.flatMap((event) => (event.type === 'payment-seen' ? event.payment.id : []))

/** What can happen to an order, in as many kinds as make a difference to what is seen of it: no refund does. */
const events: readonly OrderEvent[] = [
  { type: 'quoted', terms: quote({ payment, recipient: undefined }) },
  { type: 'quoted', terms: quote({ payment, item: item({ requires: ['physical-address'] }) }) },
  { type: 'quoted', terms: quote({ payment, item: item({ availableCount: 0 }) }) },
  { type: 'quoted', terms: quote({ payment, item: mailed }) },
  { type: 'quoted', terms },
  { type: 'quoted', terms: quote({ payment, item: item({ price: '0' }) }) },
  ...funds.map((checked): OrderEvent => ({ type: 'quoted', terms: { ...withPayer, funds: checked } })),
  ...funds.map((checked): OrderEvent => ({ type: 'funds-checked', funds: checked })),
  { type: 'time-passed' },
  { type: 'time-passed', searchedUntilMs: endMs + 1 },
  { type: 'payment-reported', txId: '0x04' },
  { type: 'payment-failed', txId: '0x04', code: 'tx-id-not-found' },
  { type: 'payment-failed', txId: '0x04', code: 'insufficient-funds' },
  ...payments,
  ...paymentIds.flatMap((paymentId): OrderEvent[] => [
    { type: 'payment-confirmed', paymentId },
    { type: 'payment-reorganised-away', paymentId },
  ]),
  { type: 'tokens-allocated', lineItemIndex: 0, tokenIds: ['1'] },
  { type: 'tokens-minted', lineItemIndex: 0, first: 0, count: 1, txId: '0x03' },
  {
    type: 'item-delivered',
    lineItemIndex: 0,
    txId: '0x03',
    walletAddress: '0xbb',
    tokens: [{ locator: 'base-sepolia:0xcc:1' }],
  },
  {
    type: 'item-delivered',
    lineItemIndex: 0,
    txId: '0x03',
    walletAddress: '0xbb',
    tokens: [{ locator: 'base-sepolia:0xcc:1' }],
    isSettling: true,
  },
  { type: 'item-settled', lineItemIndex: 0, txId: '0x03' },
  ...[1, 2, 3, 4].flatMap((attempt): OrderEvent[] => [
    { type: 'item-refused', lineItemIndex: 0, attempt },
    { type: 'item-undone', lineItemIndex: 0, attempt },
  ]),
  { type: 'item-failed', lineItemIndex: 0 },
  { type: 'claim-requested' },
  { type: 'capture-requested' },
  { type: 'void-requested' },
]

/** What a client sees of an order, in one word and the phase it belongs to. */
const nameOf = ({ phase, quote, payment }: OrderState): string => {
  if (phase === 'quote') return `quote/${quote.status}`
  return phase === 'payment' ? `payment/${payment.status}` : phase
}

/** Orders of one key can do the same, as far as a client sees it. */
const keyOf = (order: OrderState): string =>
  JSON.stringify([
    nameOf(order),
    order.payment.payerAddress,
    order.payment.serializedTransaction,
    order.quote.totalUnits,
    order.payments.map(({ id, use }) => [id, use]).sort(),
    (order.earlierQuotes ?? []).length > 0,
    [
      order.capture !== undefined,
      order.capture?.status,
      order.hints.length,
      order.payment.failureReason?.code,
    ],
    order.lineItems.map(({ delivery, requires }) => [delivery, requires]),
  ])

/** Two payments are enough to stand in each other's way. */
const isTooMuch = (order: OrderState, event: OrderEvent): boolean =>
  event.type === 'payment-seen' && order.payments.length === 2

/** Every change that `transition` can make of an order of one line item, found by trying everything on everything. */
export const exploreOrders = (): Change[] => {
  const changes = new Map<string, Change>()
  const known = new Set<string>()
  const open: OrderState[] = []
  const meet = (from: string, event: OrderEvent, order: OrderState): void => {
    const change = { from, event: event.type, to: nameOf(order) }
    if (change.from !== change.to) changes.set(JSON.stringify(change), change)
    const key = keyOf(order)
    if (known.has(key)) return
    known.add(key)
    open.push(order)
  }
  const fresh = newOrder('order', 'project', terms)
  // The deadline of the capture is in the time that is tried.
  for (const order of [fresh, { ...fresh, capture: { windowMs: 1_000 } }])
    for (const event of events)
      if (event.type === 'quoted') meet('[*]', event, transition(order, event, startMs).order)
  for (let order = open.pop(); order; order = open.pop())
    for (const nowMs of [startMs, endMs + 2])
      for (const event of events)
        if (!isTooMuch(order, event)) meet(nameOf(order), event, transition(order, event, nowMs).order)
  return [...changes.values()]
}
