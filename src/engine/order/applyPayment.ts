import type { PaymentFailureCode } from '../../schema/orderMembers.js'
import { mustCapture } from './applyCapture.js'
import { expireQuote, idleStatus, isBeingPaid, quoteFor, restamp } from './applyQuote.js'
import type { ReportedFailure } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { OrderState, PaymentState, PaymentUse } from './order.js'
import { refundPart, sweepWhenSettled } from './settle.js'

const isUnpaid = ({ phase }: OrderState): boolean => phase === 'quote' || phase === 'payment'

/**
 * Records a payment that is in a block. A payment in time revives a quote that has expired or been replaced
 * since.
 */
export const seePayment = (order: OrderState, paid: Omit<PaymentState, 'use'>): Transition => {
  if (order.payments.some(({ id }) => id === paid.id)) return unchanged(order)
  // Any caller can make a token log a transfer of zero.
  if (BigInt(paid.units) === 0n) return unchanged(order)
  const payments: PaymentState[] = [...order.payments, { ...paid, use: 'undecided' }]
  const seen: OrderState = { ...forgetReportedFailure(order), payments }
  const held = isUnpaid(order) ? quoteFor(seen, paid) : undefined
  if (!held) return { order: seen, effects: [] }
  return {
    order: {
      ...held,
      phase: 'payment',
      lineItems: restamp(held.lineItems, 'expired', 'valid'),
      quote: { ...held.quote, status: 'valid' },
      payment: { ...held.payment, status: 'in-progress' },
    },
    effects: [],
  }
}

const isReportedFailure = (code: string | undefined): boolean =>
  code === 'insufficient-funds' || code === 'tx-id-not-found'

/**
 * Removes the failure of a reported transaction, because a payment arrived or the buyer reported another
 * transaction.
 */
export const forgetReportedFailure = (order: OrderState): OrderState => {
  const { failureReason, ...payment } = order.payment
  return isReportedFailure(failureReason?.code) ? { ...order, payment } : order
}

const reportedFailures: Readonly<Record<ReportedFailure, string>> = {
  'insufficient-funds': 'The reported transaction failed: its sender held less than it was to pay.',
  'tx-id-not-found': 'No node knows the reported transaction, so it does not pay for this order.',
}

/** Records that a reported transaction did not pay. The order shows the failure and can still be paid. */
export const failReported = (
  order: OrderState,
  { txId, code }: { txId: string; code: ReportedFailure },
): Transition => {
  const { payment, payments, hints } = order
  const isTold = payment.failureReason?.code === code
  if (!isUnpaid(order) || payments.length || !hints.includes(txId) || isTold) return unchanged(order)
  const failureReason = { code, message: reportedFailures[code] }
  // The buyer's report no longer explains an empty wallet.
  const { hintedAtMs, ...kept } = order
  const isOver = code === 'insufficient-funds' || hintedAtMs === undefined
  return {
    order: { ...kept, ...(!isOver && { hintedAtMs }), payment: { ...payment, failureReason } },
    effects: [],
  }
}

/** Makes the payment wait again once none is pending. The buyer may pay if the quote is still valid. */
export const awaitAgain = ({ order, effects }: Transition, nowMs: number): Transition => {
  if (order.phase !== 'payment' || isBeingPaid(order)) return { order, effects }
  const status = order.payment.status === 'in-progress' ? idleStatus(order) : order.payment.status
  const waiting = { ...order, payment: { ...order.payment, status } }
  return { order: expireQuote(waiting, nowMs).order, effects }
}

/** Removes a payment whose block was replaced by one without it. */
export const forgetPayment = (order: OrderState, paymentId: string, nowMs: number): Transition => {
  const payments = order.payments.filter(({ id, use }) => id !== paymentId || use !== 'undecided')
  if (payments.length === order.payments.length) return unchanged(order)
  return sweepWhenSettled(awaitAgain({ order: { ...order, payments }, effects: [] }, nowMs))
}

const use = (order: OrderState, paymentId: string, use: PaymentUse): OrderState => ({
  ...order,
  payments: order.payments.map((paid) => (paid.id === paymentId ? { ...paid, use } : paid)),
})

/**
 * Accepts a payment in full and in time: every priced line item is delivered, once the merchant has captured the
 * payment if that is not automatic. The excess is refunded.
 */
const accept = (order: OrderState, paid: PaymentState, totalUnits: bigint, nowMs: number): Transition => {
  const { capture } = order
  const due = mustCapture(order) ? ('awaiting-payment' as const) : ('in-progress' as const)
  const { failureReason: _overcome, ...payment } = order.payment
  const lineItems = order.lineItems.map((item) => ({
    ...item,
    delivery: {
      ...item.delivery,
      status: item.quote.status === 'valid' ? due : ('failed' as const),
    },
  }))
  const accepted: OrderState = {
    ...use(order, paid.id, 'accepted'),
    phase: 'delivery',
    lineItems,
    payment: { ...payment, status: 'completed' },
  }
  if (capture && mustCapture(order)) {
    const deadlineMs = nowMs + capture.windowMs
    const waiting = { ...accepted, capture: { ...capture, status: 'requires-capture' as const, deadlineMs } }
    const effects = [{ type: 'schedule-expiry' as const, atMs: deadlineMs }]
    return refundPart({ order: waiting, effects }, paid, BigInt(paid.units) - totalUnits, 'overpaid')
  }
  const effects = lineItems.flatMap(({ delivery }, lineItemIndex) =>
    delivery.status === 'in-progress' ? [{ type: 'deliver' as const, lineItemIndex }] : [],
  )
  return refundPart({ order: accepted, effects }, paid, BigInt(paid.units) - totalUnits, 'overpaid')
}

const messages: Readonly<Partial<Record<PaymentFailureCode, string>>> = {
  underpaid: 'Less than the quoted price was paid.',
  expired: 'The payment arrived after the quote had expired.',
  unknown: 'The payment does not fit the quote.',
}

/** Refunds the whole of a payment that does not pay for the order, and records why. */
const sendBack = (
  order: OrderState,
  paid: PaymentState,
  code: 'underpaid' | 'expired' | 'unknown',
  nowMs: number,
): Transition => {
  const failureReason = { code, message: messages[code] ?? '' }
  const returned = { ...use(order, paid.id, 'returned'), payment: { ...order.payment, failureReason } }
  const waiting = awaitAgain({ order: returned, effects: [] }, nowMs)
  return refundPart(waiting, paid, BigInt(paid.units), code)
}

/** Records that a payment is final: it is accepted, or refunded to its payer. */
export const confirmPayment = (order: OrderState, paymentId: string, nowMs: number): Transition => {
  const paid = order.payments.find(({ id, use }) => id === paymentId && use === 'undecided')
  if (!paid) return unchanged(order)
  if (!isUnpaid(order)) {
    const returned = { order: use(order, paid.id, 'returned'), effects: [] }
    return sweepWhenSettled(refundPart(returned, paid, BigInt(paid.units), 'duplicate'))
  }
  const { quote } = order
  const held = order.phase === 'payment' ? quoteFor(order, paid) : undefined
  if (held) {
    const totalUnits = BigInt(held.quote.totalUnits ?? 0)
    return BigInt(paid.units) >= totalUnits
      ? accept(held, paid, totalUnits, nowMs)
      : sendBack(order, paid, 'underpaid', nowMs)
  }
  const isLate = quote.expiresAtMs !== undefined && paid.minedAtMs > quote.expiresAtMs
  return sendBack(order, paid, isLate ? 'expired' : 'unknown', nowMs)
}
