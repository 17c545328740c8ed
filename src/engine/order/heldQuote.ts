import { canonicalJson } from '../canonicalJson.js'
import type { EarlierQuote, LineItemState, OrderState, PaymentState, QuotedTerms } from './order.js'

/**
 * How many earlier prices stay valid. A quote is valid for minutes, so a pending payment can only be for one
 * of the last few.
 */
const maxEarlier = 5

type Paid = Pick<PaymentState, 'chain' | 'currency' | 'minedAtMs' | 'units'>

const isInTime = ({ expiresAtMs, totalUnits }: OrderState['quote'], { minedAtMs }: Paid): boolean =>
  totalUnits !== undefined && expiresAtMs !== undefined && minedAtMs <= expiresAtMs

const isCovered = ({ totalUnits }: OrderState['quote'], { units }: Paid): boolean =>
  totalUnits !== undefined && BigInt(units) >= BigInt(totalUnits)

const isSameGoods = (items: readonly LineItemState[], others: readonly LineItemState[]): boolean =>
  items.length === others.length &&
  items.every(
    ({ collectionId, templateId, quantity }, at) =>
      others[at]?.collectionId === collectionId &&
      others[at].templateId === templateId &&
      others[at].quantity === quantity,
  )

/** Returns the order's current prices as valid, even if they have been marked as expired. */
const presentQuote = ({ quote, lineItems }: OrderState): EarlierQuote => ({
  quote: { ...quote, status: 'valid' },
  items: lineItems.map((item) =>
    item.quote.status === 'expired' ? { ...item.quote, status: 'valid' } : item.quote,
  ),
})

/**
 * Returns the earlier prices that an order still honours after it takes a new one. With another currency,
 * other goods or another recipient, it honours none.
 */
export const earlierQuotes = (order: OrderState, terms: QuotedTerms): EarlierQuote[] => {
  const isSame =
    order.payment.chain === terms.payment.chain &&
    order.payment.currency === terms.payment.currency &&
    canonicalJson(order.recipient) === canonicalJson(terms.recipient) &&
    isSameGoods(order.lineItems, terms.lineItems)
  if (!isSame) return []
  const present = order.quote.totalUnits === undefined ? [] : [presentQuote(order)]
  return [...present, ...(order.earlierQuotes ?? [])].slice(0, maxEarlier)
}

/** Returns the order at an earlier price, with the current price among the earlier ones. */
const atEarlierPrice = (order: OrderState, held: EarlierQuote): OrderState => {
  const { serializedTransaction: _ofOtherPrice, ...payment } = order.payment
  const others = (order.earlierQuotes ?? []).filter((one) => one !== held)
  const present = order.quote.totalUnits === undefined ? [] : [presentQuote(order)]
  return {
    ...order,
    payment,
    quote: held.quote,
    earlierQuotes: [...present, ...others],
    lineItems: order.lineItems.map((item, at) => ({ ...item, quote: held.items[at] ?? item.quote })),
  }
}

/**
 * Returns the order at the price that a payment is for: the current one, or an earlier one that it pays in
 * full. The payment's block must be within the time for which that price is valid.
 *
 * @returns `undefined` if the payment is for none of them.
 */
export const quoteFor = (order: OrderState, paid: Paid): OrderState | undefined => {
  const { quote, payment } = order
  if (paid.chain !== payment.chain || paid.currency !== payment.currency) return undefined
  const isForPresent = isInTime(quote, paid)
  if (isForPresent && isCovered(quote, paid)) return order
  const held = order.earlierQuotes?.find((one) => isInTime(one.quote, paid) && isCovered(one.quote, paid))
  return held ? atEarlierPrice(order, held) : isForPresent ? order : undefined
}

/** Whether a payment that may still pay for the order waits for its confirmations. */
export const isBeingPaid = (order: OrderState): boolean =>
  order.payments.some((paid) => paid.use === 'undecided' && quoteFor(order, paid) !== undefined)
