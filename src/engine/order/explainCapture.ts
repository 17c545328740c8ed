import { Refusal } from '../refusal.js'
import { isPaid, isPaymentLost } from './accepted.js'
import { isCaptureOver } from './applyCapture.js'
import { isClaimed } from './applyClaim.js'
import type { OrderState } from './order.js'

/**
 * Reads whether the merchant captures the payment of a new order.
 *
 * @param terms.windowMs - How long the merchant may.
 * @throws {@link Refusal} `forbidden` if a caller other than a server says so.
 */
export const readCapture = (
  asked: 'automatic' | 'manual' | undefined,
  { isServer, windowMs }: { isServer: boolean; windowMs: number },
): Pick<OrderState, 'capture'> => {
  if (asked !== undefined && !isServer) {
    throw new Refusal('forbidden', 'payment.capture: only a server key may set it')
  }
  return asked === 'manual' ? { capture: { windowMs } } : {}
}

/** What the merchant decides about a payment. */
export type CaptureDecision = 'capture' | 'void'

const iso = (epochMs = 0): string => new Date(epochMs).toISOString()

const explainUnpaid = (order: OrderState): string | undefined => {
  if (isPaid(order)) return undefined
  if (isClaimed(order)) return 'The order costs nothing, so there is no payment to capture'
  if (isPaymentLost(order)) return 'The blockchain has taken the payment of this order back'
  const { status, failureReason } = order.payment
  if (status === 'in-progress') return 'The payment of this order is not final yet'
  const reason = failureReason?.message
  return reason === undefined ? 'The order is not paid' : `The order is not paid: ${reason}`
}

/**
 * Says what becomes of the merchant's decision about a payment: it is due, the same decision was made before, or it
 * comes too late, with the reason.
 */
export const explainCapture = (
  order: OrderState,
  decision: CaptureDecision,
  nowMs: number,
): 'due' | 'done' | { refusal: string } => {
  const { capture } = order
  if (!capture) return { refusal: 'payment.capture: the payment of this order is captured automatically' }
  const { status, decidedAtMs, deadlineMs } = capture
  if (status === 'voided') {
    const refusal = `The order was voided on ${iso(decidedAtMs)}: its payment goes back to the payer`
    return decision === 'void' ? 'done' : { refusal }
  }
  const isOver = status === 'requires-capture' && isCaptureOver(order, nowMs) && isPaid(order)
  if (status === 'expired' || isOver) {
    const until = iso(deadlineMs)
    return { refusal: `The order was not captured before ${until}: its payment goes back to the payer` }
  }
  const unpaid = explainUnpaid(order)
  if (unpaid !== undefined) return { refusal: unpaid }
  if (status !== 'captured') return 'due'
  if (decision === 'capture') return 'done'
  return { refusal: `The order was captured on ${iso(decidedAtMs)}: refund it once it is delivered` }
}
