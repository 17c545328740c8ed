import type { Order } from '../schema/index.js'
import { isSponsored } from './payment.js'
import { isSettled } from './terminal.js'
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
      const { status } = order.payment
      const isPayable = status === 'crypto-payer-insufficient-funds-for-gas' && isSponsored(order)
      const stage = isPayable ? 'ready-to-pay' : (byPaymentStatus.get(status) ?? 'unknown')
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
