import type { Order } from '../schema/index.js'

/**
 * Returns how long the quote is still valid.
 *
 * @param nowMs - The current time, in epoch milliseconds.
 * @returns Milliseconds, 0 once it has expired; undefined when the order has no quote with an expiry.
 */
export const getTimeLeftMs = (order: Order, nowMs: number): number | undefined => {
  if (order.quote.expiresAt === undefined) return undefined
  const expiresAtMs = Date.parse(order.quote.expiresAt)
  return Number.isNaN(expiresAtMs) ? undefined : Math.max(0, expiresAtMs - nowMs)
}
