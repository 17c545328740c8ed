import { and, eq, gt } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { payments, paymentTargets } from '../db/tables/index.js'

const isWatched = (nowMs: number) => gt(paymentTargets.watchedUntil, new Date(nowMs))

/**
 * Whether any order waits for money, on whatever chain: buyers mistake the chain. Or whether what one was seen to be
 * paid is to be final, on this chain or, without one, on any.
 */
export const hasTargets = async (
  db: Database | Transaction,
  nowMs: number,
  chain?: string,
): Promise<boolean> => {
  const isOnChain = chain === undefined ? undefined : eq(payments.chain, chain)
  const pending = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.status, 'seen'), isOnChain))
    .limit(1)
  if (pending.length) return true
  const rows = await db
    .select({ target: paymentTargets.target })
    .from(paymentTargets)
    .where(isWatched(nowMs))
    .limit(1)
  return rows.length > 0
}

/**
 * The orders that money may arrive for, by where it arrives: also those to be paid on another chain, because what
 * takes payments is at the same address on all of them.
 */
export const readTargets = async (db: Database, nowMs: number): Promise<ReadonlyMap<string, string>> => {
  const place = { target: paymentTargets.target, orderId: paymentTargets.orderId }
  const watched = await db.select(place).from(paymentTargets).where(isWatched(nowMs))
  // A payment seen just before its watch ended is followed to its end.
  const pending = await db
    .selectDistinct({ target: payments.target, orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.status, 'seen'))
  return new Map([...watched, ...pending].map(({ target, orderId }) => [target, orderId]))
}
