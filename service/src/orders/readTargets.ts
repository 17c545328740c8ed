import { and, eq, gt } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { payments, paymentTargets } from '../db/tables/index.js'

const isWatched = (nowMs: number) => gt(paymentTargets.watchedUntil, new Date(nowMs))

/**
 * Whether any order waits for money on any chain, because buyers mistake the chain, or a seen payment on this
 * chain, or on any without one, is not final yet.
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
 * Reads the targets that orders can be paid at, and their orders. It includes orders to be paid on another
 * chain, because payment contracts have the same address on all chains.
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
