import { sumUnits } from './accepted.js'
import { mustCapture } from './applyCapture.js'
import {
  expireQuote,
  explainParts,
  idleStatus,
  isBeingPaid,
  isEditable,
  partsFor,
  quoteFor,
  restamp,
  withoutSignature,
} from './applyQuote.js'
import type { ReportedFailure } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { OrderState, PaymentState, PaymentUse } from './order.js'
import { refundLeft, refundPart, refundTogether, sweepWhenSettled } from './settle.js'

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

const isSameTransaction = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const reportedFailures: Readonly<Record<ReportedFailure, string>> = {
  'insufficient-funds': 'The reported transaction failed: its sender did not have enough to pay it.',
  'tx-id-not-found': 'No node knows the reported transaction, so it does not pay for this order.',
}

/** Records that a reported transaction did not pay. The order shows the failure and can still be paid. */
export const failReported = (
  order: OrderState,
  { txId, code }: { txId: string; code: ReportedFailure },
): Transition => {
  const { payment, payments, hints } = order
  const isTold = payment.failureReason?.code === code
  // A report of a payment that goes back says nothing about the next one.
  const isKnown = payments.some((paid) => isSameTransaction(paid.txId, txId))
  if (!isEditable(order) || isKnown || !hints.includes(txId) || isTold) return unchanged(order)
  const failureReason = { code, message: reportedFailures[code] }
  // The buyer's report no longer explains an empty wallet.
  const { hintedAtMs, ...kept } = order
  const isOver = code === 'insufficient-funds' || hintedAtMs === undefined
  return {
    order: { ...kept, ...(!isOver && { hintedAtMs }), payment: { ...payment, failureReason } },
    effects: [],
  }
}

/**
 * Makes the payment wait again once none is pending. The buyer may pay if the quote is still valid.
 */
export const awaitAgain = ({ order, effects }: Transition, nowMs: number): Transition => {
  if (order.phase !== 'payment' || isBeingPaid(order)) return { order, effects }
  const status = order.payment.status === 'in-progress' ? idleStatus(order) : order.payment.status
  const waiting = { ...order, payment: { ...order.payment, status } }
  const expired = expireQuote(waiting, nowMs)
  return { order: expired.order, effects: [...effects, ...expired.effects] }
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

/** Accepts payments, and refunds the parts that are not among them, and what the payments exceed the price by. */
const settleParts = (step: Transition, used: readonly PaymentState[], totalUnits: bigint): Transition => {
  const ids = new Set(used.map(({ id }) => id))
  const others = step.order.payments.filter((paid) => paid.use === 'part' && !ids.has(paid.id))
  const payments = step.order.payments.map((paid): PaymentState => {
    if (ids.has(paid.id)) return { ...paid, use: 'accepted' }
    return paid.use === 'part' ? { ...paid, use: 'returned' } : paid
  })
  const accepted = { order: { ...step.order, payments }, effects: step.effects }
  const excess = refundTogether(accepted, used, {
    units: sumUnits(used) - totalUnits,
    reason: 'overpaid',
  })
  // No cap holds a refund of what is overpaid, and anyone can pay any number of parts.
  return refundLeft(excess, others, 'duplicate')
}

/**
 * Accepts payments that are the whole price together, in time: every priced line item is delivered, once the merchant
 * has captured the payment if that is not automatic. What is more goes back.
 */
const accept = (order: OrderState, used: readonly PaymentState[], nowMs: number): Transition => {
  const { capture } = order
  const totalUnits = BigInt(order.quote.totalUnits ?? 0)
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
    ...order,
    phase: 'delivery',
    lineItems,
    payment: { ...payment, status: 'completed' },
  }
  if (capture && mustCapture(order)) {
    const deadlineMs = nowMs + capture.windowMs
    const waiting = { ...accepted, capture: { ...capture, status: 'requires-capture' as const, deadlineMs } }
    const effects = [{ type: 'schedule-expiry' as const, atMs: deadlineMs }]
    return settleParts({ order: waiting, effects }, used, totalUnits)
  }
  const effects = lineItems.flatMap(({ delivery }, lineItemIndex) =>
    delivery.status === 'in-progress' ? [{ type: 'deliver' as const, lineItemIndex }] : [],
  )
  return settleParts({ order: accepted, effects }, used, totalUnits)
}

/** Keeps a payment of less than the price: it waits for the rest, or goes back when the quote ends. */
const keepPart = (order: OrderState, paid: PaymentState, nowMs: number): Transition => {
  const kept = use(order, paid.id, 'part')
  const message = `${explainParts(kept)}. Pay the rest before the quote expires, or it goes back to its payer then.`
  const payment = {
    ...withoutSignature(kept.payment),
    failureReason: { code: 'underpaid' as const, message },
  }
  // The buyer's report explains no empty wallet any more: its payment is this part.
  const { hintedAtMs: _known, ...waiting } = { ...kept, payment }
  return awaitAgain({ order: waiting, effects: [] }, nowMs)
}

const messages = {
  expired: 'The payment arrived after the quote had expired.',
  unknown: 'The payment does not match the quote.',
} as const

/** Refunds the whole of a payment that does not pay for the order, and records why. */
const sendBack = (
  order: OrderState,
  { paid, code }: { paid: PaymentState; code: keyof typeof messages },
  nowMs: number,
): Transition => {
  const failureReason = { code, message: messages[code] }
  const returned = { ...use(order, paid.id, 'returned'), payment: { ...order.payment, failureReason } }
  const waiting = awaitAgain({ order: returned, effects: [] }, nowMs)
  return refundPart(waiting, paid, { units: BigInt(paid.units), reason: code })
}

/** Corrects the amount of a payment that said more than arrived, before it is decided about. */
export const countArrived = (
  order: OrderState,
  { paymentId, arrivedUnits }: { paymentId: string; arrivedUnits?: string },
): OrderState => {
  const corrected = order.payments.find(
    ({ id, use, isLost }) => id === paymentId && (use === 'undecided' || isLost),
  )
  if (!corrected || arrivedUnits === undefined) return order
  const payments = order.payments.map((paid) =>
    paid === corrected ? { ...paid, units: arrivedUnits } : paid,
  )
  return { ...order, payments }
}

/**
 * Records that a payment is final. It is accepted if it is the whole price, alone or with the parts before it, waits as
 * a part of the price, or is refunded to its payer.
 */
export const confirmPayment = (order: OrderState, paymentId: string, nowMs: number): Transition => {
  const paid = order.payments.find(({ id, use }) => id === paymentId && use === 'undecided')
  if (!paid) return unchanged(order)
  if (!isUnpaid(order)) {
    const returned = { order: use(order, paid.id, 'returned'), effects: [] }
    return sweepWhenSettled(refundPart(returned, paid, { units: BigInt(paid.units), reason: 'duplicate' }))
  }
  const { quote } = order
  const held = order.phase === 'payment' ? quoteFor(order, paid) : undefined
  if (held) {
    const totalUnits = BigInt(held.quote.totalUnits ?? 0)
    if (BigInt(paid.units) >= totalUnits) return accept(held, [paid], nowMs)
    const together = [...partsFor(held, held.quote), paid]
    return sumUnits(together) >= totalUnits ? accept(held, together, nowMs) : keepPart(held, paid, nowMs)
  }
  const isLate = quote.expiresAtMs !== undefined && paid.minedAtMs > quote.expiresAtMs
  return sendBack(order, { paid, code: isLate ? 'expired' : 'unknown' }, nowMs)
}
