import type { LineItem, Order } from '../schema/index.js'

/** Whether a line item needs nothing more. One that was unavailable from the start was never paid for, so it has not failed. */
export const isSettled = (item: LineItem): boolean =>
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
