import type { Order } from '../schema/index.js'

/**
 * Returns how long the quote is still valid, at most as long as it was when it was made.
 *
 * @param nowMs - The current time, in epoch milliseconds.
 * @returns Milliseconds, 0 once it has expired; undefined when the order has no quote with an expiry.
 */
export const getTimeLeftMs = (order: Order, nowMs: number): number | undefined => {
  if (order.quote.expiresAt === undefined) return undefined
  const expiresAtMs = Date.parse(order.quote.expiresAt)
  if (Number.isNaN(expiresAtMs)) return undefined
  // A clock may be behind the service's by less than the service's answers show, which is a second.
  const lifetimeMs = expiresAtMs - Date.parse(order.quote.quotedAt ?? '')
  const leftMs = Math.max(0, expiresAtMs - nowMs)
  return lifetimeMs > 0 ? Math.min(leftMs, lifetimeMs) : leftMs
}
