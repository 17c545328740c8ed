import type { WebhookEventType } from '../../schema/tokenMembers.js'
import { canonicalJson } from '../canonicalJson.js'
import type { OrderState } from './order.js'

/** An event that an order's project can receive. */
export type OrderEventType = Extract<WebhookEventType, `orders.${string}`>

/** Returns the agreed terms, without the time for which they are valid. */
const termsOf = ({ locale, recipient, lineItems, quote, payment }: OrderState) => {
  const { chain, currency, payerAddress, receiptEmail } = payment
  const { status, totalUnits } = quote
  return { locale, recipient, lineItems, status, totalUnits, chain, currency, payerAddress, receiptEmail }
}

const isUnpaid = ({ phase }: OrderState): boolean => phase === 'quote' || phase === 'payment'

/** Before any payment, only a new quote has this effect: a quote that runs out is `expired`. */
const isQuotedAgain = (before: OrderState, after: OrderState): boolean =>
  isUnpaid(before) &&
  !after.payments.length &&
  after.quote.status !== 'expired' &&
  canonicalJson(termsOf(before)) !== canonicalJson(termsOf(after))

const countReturned = ({ payments }: OrderState): number =>
  payments.filter(({ use }) => use === 'returned').length

/** Whether a reported transaction turned out not to pay. */
const isReportFailed = (before: OrderState, after: OrderState): boolean => {
  const { failureReason } = after.payment
  const isReported = failureReason?.code === 'insufficient-funds' || failureReason?.code === 'tx-id-not-found'
  return isReported && before.payment.failureReason?.code !== failureReason.code
}

/** Whether an order has the payment that it accepted: no deep reorganisation took it back. */
const isPaid = ({ payment, payments }: OrderState): boolean =>
  payment.status === 'completed' && !payments.some(({ use, isLost }) => use === 'accepted' && isLost)

/** Whether a payment is refunded, a reported one never arrived, or the accepted one is lost. */
const isPaymentFailed = (before: OrderState, after: OrderState): boolean =>
  (isPaid(before) && !isPaid(after)) ||
  (isUnpaid(after) && (countReturned(after) > countReturned(before) || isReportFailed(before, after)))

const isUndeliverable = (before: OrderState, after: OrderState): boolean =>
  after.lineItems.some(
    ({ delivery }, at) =>
      delivery.status === 'failed' && before.lineItems[at]?.delivery.status === 'in-progress',
  )

const isDelivered = ({ phase, lineItems }: OrderState): boolean =>
  phase === 'completed' && lineItems.some(({ delivery }) => delivery.status === 'completed')

/**
 * Returns the events that a project receives for one step of an order, in this order.
 *
 * | from | to | event |
 * |---|---|---|
 * | (none) | created | `orders.quote.created` |
 * | unpaid | quoted again: other terms, another price, or valid once more | `orders.quote.updated` |
 * | unpaid | a payment is refunded to its payer: too little, late, other currency | `orders.payment.failed` |
 * | unpaid | a reported transaction failed for lack of funds, or no node knows it | `orders.payment.failed` |
 * | paid, delivered or not | a deep reorganisation takes the payment back | `orders.payment.failed` |
 * | payment not `completed` | payment `completed` | `orders.payment.succeeded` |
 * | paid, the payment taken back | the chain includes the payment again | `orders.payment.succeeded` |
 * | phase not `delivery` | phase `delivery` | `orders.delivery.initiated` |
 * | a delivery `in-progress` | that delivery `failed` | `orders.delivery.failed` |
 * | phase not `completed` | phase `completed`, a delivery `completed` | `orders.delivery.completed` |
 *
 * Everything else has no event: a quote that is valid longer at the same price, one that runs out, the payer's
 * funds, a payment that is not final, a second payment of a paid order, refunds, sweeps.
 *
 * @param before - `undefined` if the order is new.
 * @source answers.md "Webhooks"
 */
export const orderEvents = (before: OrderState | undefined, after: OrderState): OrderEventType[] => {
  if (!before) return ['orders.quote.created']
  if (before === after) return []
  const becomes = (is: (order: OrderState) => boolean): boolean => is(after) && !is(before)
  const told: Record<Exclude<OrderEventType, 'orders.quote.created'>, boolean> = {
    'orders.quote.updated': isQuotedAgain(before, after),
    'orders.payment.failed': isPaymentFailed(before, after),
    'orders.payment.succeeded': becomes(isPaid),
    'orders.delivery.initiated': becomes(({ phase }) => phase === 'delivery'),
    'orders.delivery.failed': isUndeliverable(before, after),
    'orders.delivery.completed': becomes(isDelivered),
  }
  return (Object.keys(told) as (keyof typeof told)[]).filter((type) => told[type])
}
