import type { RefundCause } from '../../schema/orderMembers.js'
import { isPaid, listAccepted } from './accepted.js'
import { type Transition, unchanged } from './event.js'
import type { LineItemState, OrderState } from './order.js'
import { refundLeft, sweepWhenSettled } from './settle.js'

/** Whether what was paid for an order waits for the merchant to capture or void it. */
export const isUncaptured = ({ capture }: Pick<OrderState, 'capture'>): boolean =>
  capture?.status === 'requires-capture'

/** Whether the time in which the merchant may capture a payment is over. */
export const isCaptureOver = ({ capture }: Pick<OrderState, 'capture'>, nowMs: number): boolean =>
  capture?.deadlineMs !== undefined && nowMs >= capture.deadlineMs

/** Whether a payment that an order accepts now waits for the merchant. What was captured once is not captured again. */
export const mustCapture = ({ capture }: Pick<OrderState, 'capture'>): boolean =>
  capture !== undefined && capture.status !== 'captured'

const withWaiting = (
  items: readonly LineItemState[],
  status: 'in-progress' | 'failed',
): readonly LineItemState[] =>
  items.map((item) =>
    item.delivery.status === 'awaiting-payment' ? { ...item, delivery: { ...item.delivery, status } } : item,
  )

const decide = (
  order: OrderState,
  status: NonNullable<NonNullable<OrderState['capture']>['status']>,
  nowMs: number,
): Pick<OrderState, 'capture'> =>
  order.capture ? { capture: { ...order.capture, status, decidedAtMs: nowMs } } : {}

/** Captures an order's payment: from now on, its line items are delivered. */
export const capturePayment = (order: OrderState, nowMs: number): Transition => {
  if (!isUncaptured(order) || isCaptureOver(order, nowMs) || !isPaid(order)) return unchanged(order)
  const lineItems = [...withWaiting(order.lineItems, 'in-progress')]
  return {
    order: { ...order, ...decide(order, 'captured', nowMs), lineItems },
    effects: lineItems.flatMap(({ delivery }, lineItemIndex) =>
      delivery.status === 'in-progress' ? [{ type: 'deliver' as const, lineItemIndex }] : [],
    ),
  }
}

/** Ends an order without a delivery, and refunds what is left of its payments. */
const giveUp = (
  order: OrderState,
  { status, reason }: { status: 'voided' | 'expired'; reason: RefundCause },
  nowMs: number,
): Transition => {
  // A lost payment cannot be refunded. It waits for the blockchain to include it again.
  if (!isUncaptured(order) || !isPaid(order)) return unchanged(order)
  const ended: OrderState = {
    ...order,
    ...decide(order, status, nowMs),
    phase: 'completed',
    lineItems: [...withWaiting(order.lineItems, 'failed')],
  }
  return sweepWhenSettled(refundLeft({ order: ended, effects: [] }, listAccepted(order), reason))
}

/** Voids an order's payment: nothing is delivered, and the whole payment goes back to its payer. */
export const voidPayment = (order: OrderState, nowMs: number): Transition =>
  giveUp(order, { status: 'voided', reason: 'voided' }, nowMs)

/** Refunds a payment that the merchant did not capture in time. */
export const expireCapture = (order: OrderState, nowMs: number): Transition =>
  isCaptureOver(order, nowMs)
    ? giveUp(order, { status: 'expired', reason: 'capture-expired' }, nowMs)
    : unchanged(order)
