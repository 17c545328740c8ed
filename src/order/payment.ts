import type { Order } from '../schema/index.js'

/** Whether the service has seen a valid payment. From then on the buyer must not be asked to pay. */
export const isPaymentSeen = (order: Order): boolean =>
  order.phase === 'delivery' ||
  order.phase === 'completed' ||
  order.payment.status === 'in-progress' ||
  order.payment.status === 'completed'

/** Whether a payment is final: confirmed, and the goods on their way. */
export const isPaymentCompleted = (order: Order): boolean =>
  order.phase === 'delivery' || order.phase === 'completed' || order.payment.status === 'completed'

/**
 * Whether the service has processed one transaction without it paying for the order: the amount was too
 * little or too late, so it was sent back and the order waits for another payment.
 */
export const isPaymentReturned = (order: Order, txId: string): boolean =>
  !isPaymentSeen(order) && order.payment.received?.txId?.toLowerCase() === txId.toLowerCase()
