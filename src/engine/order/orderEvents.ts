import type { WebhookEventType } from '../../schema/tokenMembers.js'
import { canonicalJson } from '../canonicalJson.js'
import { isPaymentLost } from './accepted.js'
import { isUncaptured } from './applyCapture.js'
import { isEditable } from './applyQuote.js'
import type { CaptureState, OrderState, RefundState } from './order.js'

/** An event that an order's project can receive. */
export type OrderEventType = Extract<WebhookEventType, `orders.${string}`>

/** Returns the agreed terms, without the time for which they are valid. */
const termsOf = ({ locale, recipient, lineItems, quote, payment }: OrderState) => {
  const { chain, currency, payerAddress, receiptEmail } = payment
  const { status, totalUnits } = quote
  return { locale, recipient, lineItems, status, totalUnits, chain, currency, payerAddress, receiptEmail }
}

const isUnpaid = ({ phase }: OrderState): boolean => phase === 'quote' || phase === 'payment'

/** While no payment may pay for the order, only a new quote has this effect: a quote that runs out is `expired`. */
const isQuotedAgain = (before: OrderState, after: OrderState): boolean =>
  isEditable(before) &&
  isEditable(after) &&
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

/** Whether an order has what was paid for it: no deep reorganisation took a payment back. */
const isPaid = (order: OrderState): boolean => order.payment.status === 'completed' && !isPaymentLost(order)

/** Whether a payment is refunded, a reported one never arrived, or the accepted one is lost. */
const isPaymentFailed = (before: OrderState, after: OrderState): boolean =>
  (isPaid(before) && !isPaid(after)) ||
  (isUnpaid(after) && (countReturned(after) > countReturned(before) || isReportFailed(before, after)))

const isUndeliverable = (before: OrderState, after: OrderState): boolean =>
  after.lineItems.some(
    ({ delivery }, at) =>
      delivery.status === 'failed' && before.lineItems[at]?.delivery.status === 'in-progress',
  )

/** Whether a refund that the merchant requested has one of the statuses, and did not before. */
const isRefundNow = (
  before: OrderState,
  after: OrderState,
  statuses: readonly RefundState['status'][],
): boolean => findRefunds(after, statuses).some((id) => !findRefunds(before, statuses).includes(id))

const findRefunds = ({ refunds }: OrderState, statuses: readonly RefundState['status'][]): string[] =>
  refunds.filter(({ request, status }) => request && statuses.includes(status)).map(({ id }) => id)

/** Whether the merchant's decision about the payment is one. */
const hasCapture =
  (status: CaptureState['status']) =>
  ({ capture }: OrderState): boolean =>
    capture?.status === status

const countShipments = ({ shipments = [] }: OrderState): number => shipments.length

const countCancelled = ({ shipments = [] }: OrderState): number =>
  shipments.filter(({ cancelled }) => cancelled).length

const isDelivered = ({ phase, lineItems }: OrderState): boolean =>
  phase === 'completed' && lineItems.some(({ delivery }) => delivery.status === 'completed')

/**
 * Returns the events that a project receives for one step of an order, in this order.
 *
 * | from | to | event |
 * |---|---|---|
 * | (none) | created | `orders.quote.created` |
 * | unpaid | quoted again: other terms, another price, or valid once more | `orders.quote.updated` |
 * | unpaid | a payment is refunded to its payer: late, other currency, or too little until the quote ended | `orders.payment.failed` |
 * | unpaid | a reported transaction failed for lack of funds, or no node knows it | `orders.payment.failed` |
 * | paid, delivered or not | a deep reorganisation takes the payment back | `orders.payment.failed` |
 * | payment not `completed` | payment `completed` | `orders.payment.succeeded` |
 * | paid, the payment taken back | the chain includes the payment again | `orders.payment.succeeded` |
 * | paid, not captured | captured by the merchant | `orders.payment.captured` |
 * | paid, not captured | voided by the merchant | `orders.payment.voided` |
 * | paid, not captured | the deadline of the capture has passed | `orders.payment.expired` |
 * | phase not `delivery`, or not captured | phase `delivery` and captured | `orders.delivery.initiated` |
 * | a delivery `in-progress` | that delivery `failed` | `orders.delivery.failed` |
 * | phase not `completed` | phase `completed`, a delivery `completed` | `orders.delivery.completed` |
 * | line items not shipped | a shipment of them | `orders.shipped` |
 * | a shipment | cancelled by the merchant | `orders.shipment.cancelled` |
 * | a requested refund not sent | sent | `orders.refund.succeeded` |
 * | a requested refund neither failed nor rejected | refused by the chain repeatedly, or rejected by the payer's account | `orders.refund.failed` |
 *
 * Everything else has no event: a quote that is valid longer at the same price, one that runs out, the payer's
 * funds, a payment that is not final, a second payment of a paid order, refunds by the service's own rules, sweeps.
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
    'orders.payment.captured': becomes(hasCapture('captured')),
    'orders.payment.voided': becomes(hasCapture('voided')),
    'orders.payment.expired': becomes(hasCapture('expired')),
    'orders.delivery.initiated': becomes((order) => order.phase === 'delivery' && !isUncaptured(order)),
    'orders.delivery.failed': isUndeliverable(before, after),
    'orders.delivery.completed': becomes(isDelivered),
    'orders.shipped': countShipments(after) > countShipments(before),
    'orders.shipment.cancelled': countCancelled(after) > countCancelled(before),
    'orders.refund.succeeded': isRefundNow(before, after, ['sent']),
    'orders.refund.failed': isRefundNow(before, after, ['failed', 'credited']),
  }
  return (Object.keys(told) as (keyof typeof told)[]).filter((type) => told[type])
}
