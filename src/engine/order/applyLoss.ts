import { isPaymentLost } from './accepted.js'
import { expireCapture, isUncaptured } from './applyCapture.js'
import { awaitAgain, forgetPayment } from './applyPayment.js'
import { withoutSignature } from './applyQuote.js'
import type { OrderEvent } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { LineItemState, OrderState, PaymentState } from './order.js'
import { refundLeft, sweepWhenSettled } from './settle.js'

const failureReason = {
  code: 'unknown' as const,
  message: 'The blockchain has taken this payment back. It counts again if the blockchain includes it again.',
}

const awaitingPayment = ({ walletAddress }: LineItemState['delivery']): LineItemState['delivery'] => ({
  status: 'awaiting-payment',
  ...(walletAddress !== undefined && { walletAddress }),
})

const hasRefund = ({ refunds }: OrderState, { id }: PaymentState): boolean =>
  refunds.some(({ paymentId }) => paymentId === id)

/**
 * Returns what becomes of the payments of an order that is unpaid again. The lost ones are removed, and the others are
 * parts of the price again. One with a refund is neither, because less than its amount is left: it goes back.
 */
const undoPayments = (order: OrderState, lost: PaymentState): PaymentState[] =>
  order.payments.flatMap((paid): PaymentState[] => {
    if (paid.use !== 'accepted') return [paid]
    const isGone = paid === lost || paid.isLost
    if (hasRefund(order, paid)) return [{ ...paid, use: 'returned', ...(isGone && { isLost: true }) }]
    return isGone ? [] : [{ ...paid, use: 'part' }]
  })

/** Returns the order to its state before its payments, because nothing was sent for them. */
const undo = (order: OrderState, lost: PaymentState, nowMs: number): Transition => {
  const payments = undoPayments(order, lost)
  const undone: OrderState = {
    ...order,
    // The deadline is that of the next payment. What the merchant has captured stays captured.
    ...(order.capture && isUncaptured(order) && { capture: { windowMs: order.capture.windowMs } }),
    phase: 'payment',
    payments,
    lineItems: order.lineItems.map((item) => ({ ...item, delivery: awaitingPayment(item.delivery) })),
    payment: { ...withoutSignature(order.payment), status: 'in-progress', failureReason },
  }
  const returned = payments.filter(({ use, isLost }) => use === 'returned' && !isLost)
  return awaitAgain(refundLeft({ order: undone, effects: [] }, returned, 'underpaid'), nowMs)
}

const mark = (order: OrderState, lost: PaymentState): OrderState => ({
  ...order,
  payments: order.payments.map((paid) => (paid === lost ? { ...paid, isLost: true } : paid)),
})

/**
 * Records that a deep reorganisation removed a final payment. An order for which nothing was sent is unpaid
 * again. For any other order, what was sent continues, and the rest waits for the payment to come back.
 */
export const losePayment = (
  order: OrderState,
  { paymentId, sentItems }: Extract<OrderEvent, { type: 'payment-lost' }>,
  nowMs: number,
): Transition => {
  const lost = order.payments.find(({ id, isLost }) => id === paymentId && !isLost)
  if (!lost) return unchanged(order)
  if (lost.use === 'undecided') return forgetPayment(order, paymentId, nowMs)
  if (lost.use === 'part') {
    const payments = order.payments.filter(({ id }) => id !== paymentId)
    const payment = { ...withoutSignature(order.payment), failureReason }
    return { order: { ...order, payments, payment }, effects: [] }
  }
  if (lost.use === 'returned') return { order: mark(order, lost), effects: [] }
  const isAlone = order.payments.filter(({ use }) => use === 'accepted').length === 1
  const isUndone = order.phase === 'delivery' && !sentItems.length && !(isAlone && hasRefund(order, lost))
  if (isUndone) return undo(order, lost, nowMs)
  const lineItems = order.lineItems.map((item, index) =>
    item.delivery.status === 'in-progress' && !sentItems.includes(index)
      ? { ...item, delivery: { ...item.delivery, status: 'awaiting-payment' as const } }
      : item,
  )
  const payment = { ...order.payment, failureReason }
  return { order: { ...mark(order, lost), lineItems, payment }, effects: [] }
}

/**
 * Records that a lost payment is final again. Once the order has all its accepted payments, waiting line items are
 * delivered, unless they wait for the merchant, and proceeds are moved.
 */
export const regainPayment = (order: OrderState, regained: PaymentState, nowMs: number): Transition => {
  const { isLost: _overcome, ...paid } = regained
  const payments = order.payments.map((known) => (known === regained ? paid : known))
  const back = { order: { ...order, payments }, effects: [] }
  // What the order returned in part while it was lost goes back as well.
  if (paid.use !== 'accepted') return refundLeft(back, [paid], 'underpaid')
  if (isPaymentLost(back.order)) return back
  const { failureReason: _gone, ...payment } = order.payment
  // The deadline may have passed while there was nothing to refund.
  if (isUncaptured(order)) return expireCapture({ ...order, payments, payment }, nowMs)
  const lineItems = order.lineItems.map((item) =>
    item.delivery.status === 'awaiting-payment'
      ? { ...item, delivery: { ...item.delivery, status: 'in-progress' as const } }
      : item,
  )
  const effects = lineItems.flatMap(({ delivery }, lineItemIndex) =>
    delivery.status === 'in-progress' ? [{ type: 'deliver' as const, lineItemIndex }] : [],
  )
  // While the payment was lost, there were no proceeds. Each part of them moves once, however often it is
  // requested.
  const regainedOrder: OrderState = {
    ...order,
    payments,
    payment,
    lineItems,
    isSwept: false,
    // What left the order then is not there for a refund now.
    ...(order.isSwept && { wasSwept: true }),
  }
  return sweepWhenSettled({ order: regainedOrder, effects })
}
