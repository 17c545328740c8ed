import { type Amount, fromBaseUnits, type LineItem, Order, toBaseUnits } from '../schema/index.js'
import { type ForcedItem, type ForcedState, type ForcedStateName, forcedStates } from './forcedStates.js'

/** Identifiers that are recognisable as invented. */
const inventedTxId = `0x${'f0'.repeat(32)}`
const inventedContract = `0x${'f0'.repeat(20)}`
const inventedMintHash = 'Forced'.padEnd(44, '1')

const inventToken = (chain: string, index: number) =>
  chain.startsWith('solana')
    ? { locator: `${chain}:${inventedMintHash}`, mintHash: inventedMintHash }
    : {
        locator: `${chain}:${inventedContract}:${index + 1}`,
        contractAddress: inventedContract,
        tokenId: String(index + 1),
      }

/** Returns a line item as it would look in a state. */
const forceItem = (
  { item, index }: { item: LineItem; index: number },
  { quote: quoteStatus = 'valid', delivery: deliveryStatus = 'awaiting-payment' }: ForcedItem,
  { hasNoPrice, hasNoRecipient }: ForcedState,
): LineItem => {
  const { unavailabilityReason, totalPrice, charges, ...quote } = item.quote
  const { txId, tokens, recipient, ...delivery } = item.delivery
  const isUnavailable = quoteStatus === 'item-unavailable'
  return {
    ...item,
    quote: {
      ...quote,
      status: quoteStatus,
      ...(!hasNoPrice && !isUnavailable && { totalPrice, charges }),
      ...(isUnavailable && {
        unavailabilityReason: unavailabilityReason ?? { code: 'sold-out', message: 'Sold out' },
      }),
    },
    delivery: {
      ...delivery,
      status: deliveryStatus,
      ...(!hasNoRecipient && { recipient }),
      ...(deliveryStatus === 'completed' && {
        txId: txId ?? inventedTxId,
        tokens: tokens ?? [inventToken(item.chain ?? 'chain', index)],
      }),
    },
  }
}

const decimals = 18
const quoteMs = 10 * 60_000
/** The price of an order without one. */
const inventedUnits = 10n ** 16n

const toUnits = (amount: Amount | undefined): bigint =>
  (amount && toBaseUnits(amount.amount, decimals)) ?? inventedUnits

const sum = (items: readonly LineItem[]): bigint =>
  items.reduce((units, { quote }) => units + toUnits(quote.totalPrice), 0n)

const isAvailable = ({ quote }: LineItem): boolean => quote.status !== 'item-unavailable'

/** Returns a quote's expiry: the real one, unless it contradicts the state. */
const findEnd = ({ quote }: Order, state: ForcedState, nowMs: number): string => {
  const isOver = state.quote === 'expired'
  const endMs = Date.parse(quote.expiresAt ?? '')
  const isRight = isOver ? endMs <= nowMs : endMs > nowMs
  return new Date(isRight ? endMs : isOver ? nowMs : nowMs + quoteMs).toISOString()
}

const forceQuote = (
  order: Order,
  state: ForcedState,
  { total, nowMs }: { total: Amount; nowMs: number },
): Order['quote'] => {
  const { totalPrice: _, expiresAt: __, ...quote } = order.quote
  return {
    ...quote,
    status: state.quote ?? 'valid',
    ...(!state.hasNoPrice && { totalPrice: total, expiresAt: findEnd(order, state, nowMs) }),
  }
}

/** What was paid and refunded of an order. */
type Moved = { receivedUnits: bigint; refundedUnits: bigint; currency: string }

const forcePayment = (
  { payment: real }: Order,
  state: ForcedState,
  { receivedUnits, refundedUnits, currency }: Moved,
): Order['payment'] => {
  const { preparation, failureReason: _, received: __, refunded: ___, remaining: ____, ...payment } = real
  const { serializedTransaction: _____, ...payer } = preparation ?? { chain: '' }
  const move = (units: bigint) => ({
    amount: fromBaseUnits(units, decimals),
    currency,
    ...(real.method && { chain: real.method }),
    txId: real.received?.txId ?? inventedTxId,
  })
  return {
    ...payment,
    status: state.payment,
    ...(preparation && { preparation: state.payment === 'awaiting-payment' ? preparation : payer }),
    ...(state.failure && { failureReason: { code: state.failure } }),
    ...(receivedUnits > 0n && { received: move(receivedUnits) }),
    // Half of the price was paid.
    ...(state.isPart && { remaining: { amount: fromBaseUnits(receivedUnits, decimals), currency } }),
    ...(refundedUnits > 0n && { refunded: { ...move(refundedUnits), txId: inventedTxId } }),
  }
}

/** Whether an order can be shown in a state. Some states need two line items. */
export const canForce = (order: Pick<Order, 'lineItems'>, name: ForcedStateName): boolean =>
  order.lineItems.length > 1 || !('last' in forcedStates[name])

/**
 * Returns an order as it would look in a state. Fields that the state does not set keep their values;
 * required fields that the order lacks are invented.
 *
 * @param nowMs - The current time, in epoch milliseconds, to compare the quote's expiry with.
 * @returns An order that the schema has parsed.
 */
export const forceOrder = (order: Order, name: ForcedStateName, nowMs: number): Order => {
  const state: ForcedState = forcedStates[name]
  const end = order.lineItems.length - 1
  const lineItems = order.lineItems.map((item, index) =>
    forceItem({ item, index }, (index === end && state.last) || (state.items ?? {}), state),
  )
  const { totalPrice } = order.quote
  const currency = totalPrice?.currency ?? order.payment.currency ?? 'eth'
  const isWhole = totalPrice !== undefined && lineItems.every(isAvailable)
  const totalUnits = isWhole ? toUnits(totalPrice) : sum(lineItems.filter(isAvailable))
  const total = isWhole ? totalPrice : { amount: fromBaseUnits(totalUnits, decimals), currency }
  const takeHalves = (halves = 0): bigint => (totalUnits * BigInt(halves)) / 2n
  const refundedUnits =
    state.last?.delivery === 'failed' ? sum(lineItems.slice(end)) : takeHalves(state.refundedHalves)
  return Order.parse({
    ...order,
    phase: state.phase,
    lineItems,
    quote: forceQuote(order, state, { total, nowMs }),
    payment: forcePayment(order, state, {
      receivedUnits: takeHalves(state.receivedHalves),
      refundedUnits,
      currency,
    }),
  })
}
