import type { Order } from '../schema/index.js'
import { isPaymentSeen } from './payment.js'
import { isTerminal } from './terminal.js'

/** The other inputs of the poll interval. */
export type PollContext = {
  /** Failed requests in a row. */
  failures: number
  /** Whether a retry after the last failure is pointless. */
  isHopeless?: boolean | undefined
  /** The wait that the service requested in its last refusal. */
  retryAfterMs?: number | undefined
  /** Whether this buyer's payment is on its way, even if the service does not know it yet. */
  isPaying?: boolean | undefined
  /** Whether the service streams every change, so that a poll only guards against a stream that is held back. */
  isStreamed?: boolean | undefined
  /** A number from 0 to 1 that spreads the retries of many clients. */
  random: number
}

const quickMs = 1_000
const thinkingMs = 5_000
const slowMs = 15_000
const longestMs = 60_000
const shortestMs = 500

/**
 * Returns how long to wait before the next poll of an order: short around a payment and a delivery, long while the
 * buyer decides or the service streams the changes, with a back-off while requests fail.
 *
 * @param order - The order as last seen; undefined before the first answer.
 * @returns Milliseconds, at least 500; false when there is nothing to wait for. TanStack Query pauses polling
 * while the page is hidden.
 */
export const getPollInterval = (order: Order | undefined, context: PollContext): number | false => {
  if (context.isHopeless) return false
  if (order && isTerminal(order)) return false
  if (context.failures > 0) {
    const backOffMs = Math.min(longestMs, quickMs * 2 ** Math.min(context.failures, 10))
    const jitteredMs = backOffMs * (0.5 + context.random / 2)
    return Math.max(shortestMs, jitteredMs, context.retryAfterMs ?? 0)
  }
  if (context.isStreamed) return longestMs
  if (context.isPaying) return quickMs
  if (!order) return thinkingMs
  if (isPaymentSeen(order) && order.phase !== 'completed') return quickMs
  // In this phase a payment can come at any time, also from a wallet on another device.
  return order.phase === 'payment' ? thinkingMs : slowMs
}
