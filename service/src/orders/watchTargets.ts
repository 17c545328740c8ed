import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { chainCursors, paymentTargets } from '../db/tables/index.js'
import type { BlockRef } from '../ports/chain.js'
import { hasTargets } from './readTargets.js'

/**
 * The addresses and references at which an order can be paid on its chain, and the block before which no
 * payment can exist.
 */
export type PaymentWatch = { chain: string; targets: readonly string[]; head: BlockRef }

/** How long after its last quote an order's late payments are noticed and refunded. */
const watchedForMs = 30 * 24 * 60 * 60 * 1000

/** How long an order is watched again once a buyer reports a payment. */
const reportedForMs = 24 * 60 * 60 * 1000

/** How long the chains may go unsearched before that time is skipped. */
const idleForMs = 60 * 60 * 1000

/**
 * Skips the time in which no order waited for money. The chains are not read then, and reading a month of
 * blocks takes long. A payment made meanwhile is found when it is reported.
 */
const skipIdleTime = async (tx: Transaction, nowMs: number): Promise<void> => {
  if (await hasTargets(tx, nowMs)) return
  await tx
    .update(chainCursors)
    .set({ blockNumber: null, blockHash: null })
    .where(lt(chainCursors.updatedAt, new Date(nowMs - idleForMs)))
}

/** Extends the watch of an order's targets by a day after a buyer's report, even if it has ended. */
export const keepWatching = async (tx: Transaction, orderId: string, nowMs: number): Promise<void> => {
  const watchedUntil = new Date(nowMs + reportedForMs)
  await skipIdleTime(tx, nowMs)
  await tx
    .update(paymentTargets)
    .set({ watchedUntil })
    .where(and(eq(paymentTargets.orderId, orderId), lt(paymentTargets.watchedUntil, watchedUntil)))
}

/** Starts watching an order's targets for payments. */
export const watchTargets = async (
  tx: Transaction,
  watch: { orderId: string } & PaymentWatch,
  nowMs: number,
): Promise<void> => {
  const { orderId, chain, targets, head } = watch
  await skipIdleTime(tx, nowMs)
  const watchedUntil = new Date(nowMs + watchedForMs)
  await tx
    .insert(paymentTargets)
    .values([...new Set(targets)].map((target) => ({ chain, target, orderId, watchedUntil })))
    .onConflictDoUpdate({ target: [paymentTargets.chain, paymentTargets.target], set: { watchedUntil } })
  const cursor = { chain, blockNumber: head.number, blockHash: head.hash, updatedAt: new Date(nowMs) }
  await tx
    .insert(chainCursors)
    .values(cursor)
    .onConflictDoUpdate({
      target: chainCursors.chain,
      set: cursor,
      setWhere: isNull(chainCursors.blockNumber),
    })
}
