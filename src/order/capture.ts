import type { Order } from '../schema/index.js'
import type { CaptureStatus } from '../schema/members.js'

// A reader of these fields would be loaded by every page with an order, and few shops capture payments.
const hasStatus = (order: Order, status: CaptureStatus): boolean => order.payment.captureStatus === status

/** Whether an order is paid and waits for the shop to capture the payment. Its goods are not on their way yet. */
export const isWaitingForShop = (order: Order): boolean =>
  order.phase === 'delivery' && hasStatus(order, 'requires-capture')

/** Whether the shop did not capture an order's payment, so that it goes back to its payer. */
export const isNotConfirmed = (order: Order): boolean =>
  hasStatus(order, 'voided') || hasStatus(order, 'expired')
