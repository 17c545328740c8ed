import { and, desc, eq, gt, isNull, min, or } from 'drizzle-orm'
import { type ChainFamily, chainFamilyOf } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { payments, paymentTargets } from '#base/db/tables/index.js'

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
    // By the index: the targets of earlier orders come first in the table.
    .orderBy(desc(paymentTargets.watchedUntil))
    .limit(1)
  return rows.length > 0
}

/**
 * Reads when the first of the live targets on the chains of a family ends to be live, in milliseconds. Returns
 * `undefined` if none is.
 */
export const readFirstEnd = async (
  db: Database,
  family: ChainFamily,
  nowMs: number,
): Promise<number | undefined> => {
  const { chain, liveUntil } = paymentTargets
  const ends = await db
    .select({ chain, endsAt: min(liveUntil) })
    .from(paymentTargets)
    .where(gt(liveUntil, new Date(nowMs)))
    .groupBy(chain)
  const own = ends.flatMap((end) => (chainFamilyOf(end.chain) === family && end.endsAt ? [+end.endsAt] : []))
  return own.length ? Math.min(...own) : undefined
}

/**
 * Reads the targets that orders can be paid at on the chains of a family, and their orders. It includes orders to be
 * paid on another chain, because payment contracts have the same address on all chains of a family.
 *
 * @param asked.isLive - Whether to leave out the orders of which only late payments could come.
 */
export const readTargets = async (
  db: Database,
  family: ChainFamily,
  { nowMs, isLive = false }: { nowMs: number; isLive?: boolean },
): Promise<ReadonlyMap<string, string>> => {
  const { chain, target, orderId, liveUntil } = paymentTargets
  const live = isLive ? or(isNull(liveUntil), gt(liveUntil, new Date(nowMs))) : undefined
  const watched = await db
    .select({ chain, target, orderId })
    .from(paymentTargets)
    .where(and(isWatched(nowMs), live))
  // A payment seen just before its watch ended is followed to its end.
  const pending = await db
    .selectDistinct({ chain: payments.chain, target: payments.target, orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.status, 'seen'))
  const own = [...watched, ...pending].filter((place) => chainFamilyOf(place.chain) === family)
  return new Map(own.map((place) => [place.target, place.orderId]))
}
