import type { OrderEffect } from './event.js'
import type { OrderState, PaymentState, RefundReason } from './order.js'

/** What an event made of an order, and what it asks for. An event that changes nothing returns the same object. */
export type Transition = { order: OrderState; effects: OrderEffect[] }

/** The answer to an event that cannot happen to this order now. */
export const unchanged = (order: OrderState): Transition => ({ order, effects: [] })

/** Puts part of a payment on its way back. Nothing is asked for when there is nothing to send. */
export const refundPart = (
  { order, effects }: Transition,
  payment: PaymentState,
  units: bigint,
  reason: RefundReason,
): Transition => {
  if (units <= 0n) return { order, effects }
  const id = `refund:${order.orderId}:${order.refunds.length}`
  const refund = { id, paymentId: payment.id, units: `${units}`, reason, status: 'pending' as const }
  return {
    order: { ...order, refunds: [...order.refunds, refund] },
    effects: [...effects, { type: 'refund', refundId: id, payment, units: refund.units, reason }],
  }
}

/**
 * Asks, once, for the takings of a finished order to be moved, as soon as no refund is pending. A refund
 * that the chain refused stays owed, and is no part of the takings.
 */
export const sweepWhenSettled = ({ order, effects }: Transition): Transition => {
  const isSettled =
    order.phase === 'completed' &&
    order.payments.every(({ use }) => use !== 'undecided') &&
    order.refunds.every(({ status }) => status !== 'pending')
  if (!isSettled || order.isSwept) return { order, effects }
  return { order: { ...order, isSwept: true }, effects: [...effects, { type: 'sweep' }] }
}
