import { and, eq, gt, inArray, or } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { payments, paymentTargets } from '../db/tables/index.js'

const isWatched = (chain: string, nowMs: number) =>
  and(eq(paymentTargets.chain, chain), gt(paymentTargets.watchedUntil, new Date(nowMs)))

/** Whether any order waits for money on a chain. */
export const hasTargets = async (db: Database, chain: string, nowMs: number): Promise<boolean> => {
  const rows = await db
    .select({ target: paymentTargets.target })
    .from(paymentTargets)
    .where(isWatched(chain, nowMs))
    .limit(1)
  return rows.length > 0
}

/** The orders that money may arrive for on a chain, by where it arrives. */
export const readTargets = async (
  db: Database,
  chain: string,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> => {
  // A payment seen just before its watch ended is followed to its end.
  const pending = db
    .select({ target: payments.target })
    .from(payments)
    .where(and(eq(payments.chain, chain), eq(payments.status, 'seen')))
  const rows = await db
    .select({ target: paymentTargets.target, orderId: paymentTargets.orderId })
    .from(paymentTargets)
    .where(
      or(
        isWatched(chain, nowMs),
        and(eq(paymentTargets.chain, chain), inArray(paymentTargets.target, pending)),
      ),
    )
  return new Map(rows.map(({ target, orderId }) => [target, orderId]))
}
