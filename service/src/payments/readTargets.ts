import { and, eq, gt, inArray, or } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { payments, paymentTargets } from '../db/tables/index.js'

const isWatched = (chain: string, nowMs: number) =>
  and(eq(paymentTargets.chain, chain), gt(paymentTargets.watchedUntil, new Date(nowMs)))

/** Whether any order waits for money on a chain, or for what it was seen to be paid to be final. */
export const hasTargets = async (db: Database, chain: string, nowMs: number): Promise<boolean> => {
  const pending = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.chain, chain), eq(payments.status, 'seen')))
    .limit(1)
  if (pending.length) return true
  const rows = await db
    .select({ target: paymentTargets.target })
    .from(paymentTargets)
    .where(isWatched(chain, nowMs))
    .limit(1)
  return rows.length > 0
}

/**
 * The orders that money may arrive for, by where it arrives: also those to be paid on another chain, because what
 * takes payments is at the same address on all of them.
 */
export const readTargets = async (db: Database, nowMs: number): Promise<ReadonlyMap<string, string>> => {
  // A payment seen just before its watch ended is followed to its end.
  const pending = db.select({ target: payments.target }).from(payments).where(eq(payments.status, 'seen'))
  const rows = await db
    .select({ target: paymentTargets.target, orderId: paymentTargets.orderId })
    .from(paymentTargets)
    .where(or(gt(paymentTargets.watchedUntil, new Date(nowMs)), inArray(paymentTargets.target, pending)))
  return new Map(rows.map(({ target, orderId }) => [target, orderId]))
}
