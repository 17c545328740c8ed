import { idleStatus, isEditable } from './applyQuote.js'
import { type Transition, unchanged } from './event.js'
import { isFree } from './isFree.js'
import type { OrderState } from './order.js'

/** Whether an order that costs nothing was claimed: it is delivered without a payment. */
export const isClaimed = (order: OrderState): boolean =>
  isFree(order) &&
  order.payment.status === 'completed' &&
  order.payments.every(({ use }) => use !== 'accepted')

/** Claims an order that costs nothing: it is delivered without a payment. */
export const claimOrder = (order: OrderState, nowMs: number): Transition => {
  const { quote } = order
  const isCurrent = order.phase === 'payment' && quote.expiresAtMs !== undefined && nowMs < quote.expiresAtMs
  if (!isCurrent || !isFree(order) || !isEditable(order)) return unchanged(order)
  if (idleStatus(order) !== 'awaiting-payment') return unchanged(order)
  const { failureReason: _overcome, ...payment } = order.payment
  const lineItems = order.lineItems.map((item) => ({
    ...item,
    delivery: {
      ...item.delivery,
      status: item.quote.status === 'valid' ? ('in-progress' as const) : ('failed' as const),
    },
  }))
  return {
    order: { ...order, phase: 'delivery', lineItems, payment: { ...payment, status: 'completed' } },
    effects: lineItems.flatMap(({ delivery }, lineItemIndex) =>
      delivery.status === 'in-progress' ? [{ type: 'deliver' as const, lineItemIndex }] : [],
    ),
  }
}
