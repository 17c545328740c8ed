import type { OrderEffect } from './event.js'
import { listTakings } from './listTakings.js'
import type { OrderState, PaymentState, RefundReason } from './order.js'

/** What an event made of an order, and what it asks for. An event that changes nothing returns the same object. */
export type Transition = { order: OrderState; effects: OrderEffect[] }

/** The answer to an event that cannot happen to this order now. */
export const unchanged = (order: OrderState): Transition => ({ order, effects: [] })

/** How many payments of an order go back by themselves, beside those of its price. */
const sentByItself = 5

const heldBecause = 'Many payments of this order went back already: send it yourself if it is worth its fee.'

/**
 * Whether a payment that does not fit waits for the operator to be sent back: sending costs the operator's fee, and
 * anybody can pay next to nothing any number of times. A payment of the whole price always goes back by itself.
 */
const isTooMuch = (
  { refunds, quote, payment: terms }: OrderState,
  { chain, currency }: PaymentState,
  units: bigint,
  reason: RefundReason,
): boolean => {
  if (reason === 'overpaid' || reason === 'undelivered') return false
  const price = BigInt(quote.totalUnits ?? 0)
  const isPrice = chain === terms.chain && currency === terms.currency && price > 0n && units >= price
  const sent = refunds.filter((known) => known.reason !== 'overpaid' && known.reason !== 'undelivered')
  return !isPrice && sent.length >= sentByItself
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
  const isHeld = isTooMuch(order, payment, units, reason)
  const status = isHeld ? ('failed' as const) : ('pending' as const)
  const refund = { id, paymentId: payment.id, units: `${units}`, reason, status }
  const effect = { type: 'refund' as const, refundId: id, payment, units: refund.units, reason }
  return {
    order: { ...order, refunds: [...order.refunds, refund] },
    effects: [...effects, isHeld ? { ...effect, heldBecause } : effect],
  }
}

/**
 * Asks, once, for the takings of a finished order to be moved to each who earned of them, as soon as no refund is
 * pending. A refund that the chain refused stays owed, and is no part of the takings.
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
