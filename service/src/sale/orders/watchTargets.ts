import { eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { createStatement } from '#base/db/createStatement.js'
import type { Transaction } from '#base/db/database.js'
import { chainCursors, paymentTargets } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'
import type { BlockRef } from '#base/ports/chain.js'
import { hasTargets } from './readTargets.js'

/**
 * The addresses and references at which an order can be paid on its chain, and the block before which no
 * payment can exist.
 */
export type PaymentWatch = { chain: string; targets: readonly string[]; head: BlockRef }

/** How long after its last quote an order's late payments are noticed and refunded. */
const watchedForMs = 30 * 24 * 60 * 60 * 1000

/** How long after its last quote every search looks for an order's payments. Later ones are searched once in a while. */
export const liveForMs = 2 * 60 * 60 * 1000

/** How long an order is watched again once a buyer reports a payment. */
const reportedForMs = 24 * 60 * 60 * 1000

/** How long the chains may go unsearched before that time is skipped. */
const idleForMs = 60 * 60 * 1000

const readSearched = createStatement('chain_cursors_searched', (tx) =>
  tx.select().from(chainCursors).where(isNotNull(chainCursors.blockNumber)),
)

/**
 * Skips the time in which no order waited for money. The chains are not read then, and reading a month of
 * blocks takes long. A payment made meanwhile is found when it is reported.
 *
 * @returns The chains whose search goes on from a known block.
 */
const skipIdleTime = async (tx: Transaction, nowMs: number): Promise<string[]> => {
  const idleSince = new Date(nowMs - idleForMs)
  const searched = await readSearched(tx)
  const isIdle = searched.some(({ updatedAt }) => updatedAt < idleSince)
  if (!isIdle || (await hasTargets(tx, nowMs))) return searched.map(({ chain }) => chain)
  await tx
    .update(chainCursors)
    .set({ blockNumber: null, blockHash: null, lateBlock: null, lateAt: null })
    .where(lt(chainCursors.updatedAt, idleSince))
  return searched.flatMap(({ chain, updatedAt }) => (updatedAt < idleSince ? [] : chain))
}

/** Extends the watch of an order's targets by a day after a buyer's report, even if it has ended. */
export const keepWatching = async (tx: Transaction, orderId: string, nowMs: number): Promise<void> => {
  const reportedUntil = new Date(nowMs + reportedForMs)
  await skipIdleTime(tx, nowMs)
  const { watchedUntil, liveUntil } = paymentTargets
  await tx
    .update(paymentTargets)
    .set({
      watchedUntil: sql`greatest(${watchedUntil}, ${reportedUntil.toISOString()}::timestamptz)`,
      liveUntil: sql`greatest(${liveUntil}, ${reportedUntil.toISOString()}::timestamptz)`,
    })
    .where(eq(paymentTargets.orderId, orderId))
}

/** The targets of an order that is watched. */
export type OrderWatch = { orderId: string } & PaymentWatch

const writeTargets = createInsert(
  paymentTargets,
  ['chain', 'target', 'orderId', 'isSeeded', 'watchedUntil', 'liveUntil'],
  { target: ['chain', 'target'], set: ['watchedUntil', 'liveUntil'] },
)

/** Starts watching the targets of orders for payments. */
export const watchTargets = async (
  tx: Transaction,
  watches: readonly OrderWatch[],
  nowMs: number,
): Promise<void> => {
  if (!watches.length) return
  const searched = await skipIdleTime(tx, nowMs)
  const until = { watchedUntil: new Date(nowMs + watchedForMs), liveUntil: new Date(nowMs + liveForMs) }
  await writeTargets(
    tx,
    watches.flatMap(({ orderId, chain, targets }) =>
      [...new Set(targets)].map((target) => ({ chain, target, orderId, isSeeded: false, ...until })),
    ),
  )
  const headOf = new Map(watches.map(({ chain, head }) => [chain, head]))
  for (const [chain, head] of headOf) {
    // An upsert would lock the row even if it changes nothing, and the orders of a chain would wait for each other.
    if (searched.includes(chain)) continue
    const cursor = {
      chain,
      blockNumber: head.number,
      blockHash: head.hash,
      updatedAt: new Date(nowMs),
      lateBlock: head.number,
      lateAt: new Date(nowMs),
    }
    await tx
      .insert(chainCursors)
      .values(cursor)
      .onConflictDoUpdate({
        target: chainCursors.chain,
        set: cursor,
        setWhere: isNull(chainCursors.blockNumber),
      })
  }
}
