import { and, eq, isNull, lt } from 'drizzle-orm'
import type { BlockRef } from '../chains/port.js'
import type { Transaction } from '../db/database.js'
import { chainCursors, paymentTargets } from '../db/tables/index.js'
import { hasTargets } from './readTargets.js'

/** Wherever money for an order can arrive on its chain, and the block before which it cannot have. */
export type PaymentWatch = { chain: string; targets: readonly string[]; head: BlockRef }

/** How long after its last quote money that still arrives for an order is noticed and sent back. */
const watchedForMs = 30 * 24 * 60 * 60 * 1000

/** How long an order is looked at again once a buyer says to have paid it. */
const reportedForMs = 24 * 60 * 60 * 1000

/** For how long the chains are not looked at before that time is left out. */
const idleForMs = 60 * 60 * 1000

/**
 * While nobody waits for money no chain is read, and a month of its blocks takes long: once somebody waits again,
 * they are left out. Money that came meanwhile is found by being reported.
 */
const skipIdleTime = async (tx: Transaction, nowMs: number): Promise<void> => {
  if (await hasTargets(tx, nowMs)) return
  await tx
    .update(chainCursors)
    .set({ blockNumber: null, blockHash: null })
    .where(lt(chainCursors.updatedAt, new Date(nowMs - idleForMs)))
}

/** Has an order's targets watched for a day more, although their time may be over: a buyer says to have paid. */
export const keepWatching = async (tx: Transaction, orderId: string, nowMs: number): Promise<void> => {
  const watchedUntil = new Date(nowMs + reportedForMs)
  await skipIdleTime(tx, nowMs)
  await tx
    .update(paymentTargets)
    .set({ watchedUntil })
    .where(and(eq(paymentTargets.orderId, orderId), lt(paymentTargets.watchedUntil, watchedUntil)))
}

/** Has payments to an order's targets looked for from now on. */
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
