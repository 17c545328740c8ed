import type { Order } from '../schema/index.js'
import { getTimeLeftMs } from './timeLeft.js'

/** An order's stage, for display. */
export type OrderStage =
  | 'needs-recipient'
  | 'needs-address'
  | 'needs-email'
  | 'needs-payer'
  | 'unavailable'
  | 'expired'
  | 'insufficient-funds'
  | 'ready-to-pay'
  | 'paying'
  | 'delivering'
  | 'completed'
  | 'failed'
  | 'unknown'

// Maps, because a status is an untrusted string: `constructor` must be as unknown as any other.
const byQuoteStatus: ReadonlyMap<string, OrderStage> = new Map([
  ['requires-recipient', 'needs-recipient'],
  ['requires-physical-address', 'needs-address'],
  ['all-line-items-unavailable', 'unavailable'],
  ['expired', 'expired'],
])

const byPaymentStatus: ReadonlyMap<string, OrderStage> = new Map([
  ['requires-crypto-payer-address', 'needs-payer'],
  ['requires-email', 'needs-email'],
  ['crypto-payer-insufficient-funds', 'insufficient-funds'],
  ['crypto-payer-insufficient-funds-for-gas', 'insufficient-funds'],
  ['awaiting-payment', 'ready-to-pay'],
  ['in-progress', 'paying'],
  ['completed', 'delivering'],
  ['failed', 'failed'],
  ['failed-kyc', 'failed'],
])

/**
 * Returns an order's stage from its phase, its statuses and the clock. A status this version does not know
 * gives `unknown`, never an error.
 *
 * @param nowMs - The current time, in epoch milliseconds; without it the quote is taken to hold.
 * @returns `completed` only when every line item was delivered; `failed` when the order ended otherwise.
 * @source answers.md "Order states"
 */
export const getStage = (order: Order, nowMs?: number): OrderStage => {
  switch (order.phase) {
    case 'quote':
      return byQuoteStatus.get(order.quote.status) ?? 'unknown'
    case 'payment': {
      const stage = byPaymentStatus.get(order.payment.status) ?? 'unknown'
      if (stage === 'paying' || stage === 'delivering' || nowMs === undefined) return stage
      return getTimeLeftMs(order, nowMs) === 0 ? 'expired' : stage
    }
    case 'delivery':
      return 'delivering'
    case 'completed':
      return order.lineItems.every(isSettled) ? 'completed' : 'failed'
    default:
      return 'unknown'
  }
}

// An item that was unavailable from the start was never paid for, so it has not failed.
const isSettled = (item: Order['lineItems'][number]): boolean =>
  item.delivery.status === 'completed' || item.quote.status === 'item-unavailable'

// The buyer paid too much, or for an item that failed, and the refund is on its way. A held or claimable
// refund may wait for days.
const isRefundDue = ({ lineItems, quote, payment }: Order): boolean =>
  !!payment.received &&
  !payment.refunded &&
  !payment.refundHeld &&
  !payment.refundClaimable &&
  (payment.received.amount !== quote.totalPrice?.amount ||
    lineItems.some((item) => item.delivery.status === 'failed' && !isSettled(item)))

/** Whether this order is final, so that polling can stop. A completed order may still receive refunds. */
export const isTerminal = (order: Order): boolean => order.phase === 'completed' && !isRefundDue(order)
