import type { OrderEffect } from './event.js'
import { listTakings } from './listTakings.js'
import type { OrderState, PaymentState, RefundReason } from './order.js'

/** What an event made of an order, and what it asks for. An event that changes nothing returns the same object. */
export type Transition = { order: OrderState; effects: OrderEffect[] }

/** The answer to an event that cannot happen to this order now. */
export const unchanged = (order: OrderState): Transition => ({ order, effects: [] })

/** Whether part of a payment comes to a percentage of the order's price, in the currency of that price. */
export const isShareOfPrice = (
  { quote, payment: terms }: OrderState,
  { chain, currency }: Pick<PaymentState, 'chain' | 'currency'>,
  units: bigint,
  percent: bigint,
): boolean => {
  const price = BigInt(quote.totalUnits ?? 0)
  const isPriced = chain === terms.chain && currency === terms.currency && price > 0n
  return isPriced && units * 100n >= price * percent
}

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
  // Refunds of next to nothing are free to ask for: those of buyers never wait behind them.
  const isUrgent = isShareOfPrice(order, payment, units, 1n)
  const effect = { type: 'refund' as const, refundId: id, payment, units: refund.units, reason, isUrgent }
  return { order: { ...order, refunds: [...order.refunds, refund] }, effects: [...effects, effect] }
}

/**
 * Asks, once, for the takings of a finished order to be moved to each who earned of them, as soon as no refund is
 * pending. A refund that is held or refused stays owed, and is no part of the takings.
 */
export const sweepWhenSettled = ({ order, effects }: Transition): Transition => {
  const isSettled =
    order.phase === 'completed' &&
    order.payments.every(({ use }) => use !== 'undecided') &&
    order.refunds.every(({ status }) => status !== 'pending')
  if (!isSettled || order.isSwept) return { order, effects }
  const sweeps = listTakings(order).map(({ recipient }) => ({
    type: 'sweep' as const,
    ...(recipient !== undefined && { recipient }),
  }))
  return { order: { ...order, isSwept: true }, effects: [...effects, ...sweeps] }
}
