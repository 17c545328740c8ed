import { and, eq, gt, inArray, isNotNull, isNull, ne } from 'drizzle-orm'
import { listHolds, type OrderState } from 'kassa/engine'
import type { Lease } from '#base/db/createLeases.js'
import type { Database, Transaction } from '#base/db/database.js'
import { chainTransactions, payments, sharedCalls, solanaTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { ChainPort } from '#base/ports/chain.js'
import { type LoopTiming, type WakeableLoop, watchLoop } from '#base/watch/watchLoop.js'
import { releaseTokens } from '#goods/collections/allocateTokens.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { firstMintKeys } from '../orders/mintItem.js'
import { releaseHolds } from '../orders/saleCounts.js'
import { lockOrder } from '../orders/store.js'
import { applyEvents } from '../orders/updateOrder.js'
import { readCursor } from './chainCursor.js'
import type { PaymentRow } from './recordPayments.js'

/** What searching for payments needs. */
export type LookDeps = EmitDeps & Pick<Deps, 'db' | 'log'>

/**
 * Finds the line items with signed transactions. The order is locked, and signing first checks under the same
 * lock that the item is still due, so an item not found here will not be signed.
 */
const findSentItems = async (tx: Transaction, { orderId, lineItems }: OrderState): Promise<number[]> => {
  const keys = lineItems.flatMap(({ chain, delivery }, index) =>
    firstMintKeys(orderId, index, delivery.attempt).map((key) => ({ key: `${chain}:${key}`, index })),
  )
  const names = keys.map(({ key }) => key)
  const isAlive = ne(chainTransactions.status, 'reverted')
  const alone = await tx
    .select({ key: chainTransactions.key })
    .from(chainTransactions)
    .where(and(inArray(chainTransactions.key, names), isAlive))
  const shared = await tx
    .select({ key: sharedCalls.key })
    .from(sharedCalls)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sharedCalls.transactionKey))
    .where(and(inArray(sharedCalls.key, names), isAlive))
  const onSolana = await tx
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(
      and(
        inArray(solanaTransactions.key, names),
        ne(solanaTransactions.status, 'failed'),
        // Bytes that can never land deliver nothing, and before they are signed again it is asked whether that is due.
        isNull(solanaTransactions.expiredAt),
      ),
    )
  const sent = new Set([...alone, ...shared, ...onSolana].map(({ key }) => key))
  return [...new Set(keys.filter(({ key }) => sent.has(key)).map(({ index }) => index))]
}

/** Releases the reserved tokens of line items that are not delivered after all. */
const releaseUndone = async (tx: Transaction, before: OrderState, after: OrderState): Promise<void> => {
  for (const [index, item] of before.lineItems.entries()) {
    const { collectionId, templateId, quantity, delivery } = item
    if (!delivery.tokenIds || after.lineItems[index]?.delivery.tokenIds) continue
    const collection = { projectId: before.projectId, id: collectionId }
    await releaseTokens(tx, { collection, templateId }, quantity)
    await releaseHolds(tx, collection, listHolds(item, before))
  }
}

/** Records that final payments are no longer on the chain, and stops what was not sent for them. */
export const recordLost = async (deps: LookDeps, rows: readonly PaymentRow[]): Promise<void> => {
  for (const [orderId, own] of groupBy(rows, (row) => row.orderId)) {
    await deps.db.transaction(async (tx) => {
      const stored = await lockOrder(tx, orderId)
      if (!stored) return
      const sentItems = await findSentItems(tx, stored.order)
      const lost: string[] = []
      for (const { id, blockHash } of own) {
        // A payment that is in another block by now is not the one that was checked.
        const isSame = and(
          eq(payments.id, id),
          eq(payments.status, 'confirmed'),
          eq(payments.blockHash, blockHash),
        )
        const changed = await tx
          .update(payments)
          .set({ status: 'lost' })
          .where(isSame)
          .returning({ id: payments.id })
        if (changed.length) lost.push(id)
      }
      const events = lost.map((paymentId) => ({ type: 'payment-lost' as const, paymentId, sentItems }))
      const after = await applyEvents(deps, tx, stored, events)
      await releaseUndone(tx, stored.order, after)
      for (const paymentId of lost) {
        const fields = { orderId, paymentId, phase: after.phase, sentItems }
        deps.log.error(fields, 'a deep reorganisation took back a final payment')
      }
    })
  }
}

/** Whether the service has ever written to a chain. */
const hasWrites = async (db: Database, chain: string): Promise<boolean> => {
  for (const table of [chainTransactions, solanaTransactions]) {
    const rows = await db.select({ key: table.key }).from(table).where(eq(table.chain, chain)).limit(1)
    if (rows.length) return true
  }
  return false
}

/**
 * Whether a chain may have lost any of the service's transactions. A local chain is recovered only once an
 * order uses it.
 */
const isInUse = async ({ db }: Deps, chain: ChainPort): Promise<boolean> =>
  (await readCursor(db, chain.chain)) !== undefined || (!chain.isLocal && (await hasWrites(db, chain.chain)))

/** How long after its end a write is looked at often: until no chain reverts it any more, as a rule. */
const recentForMs = 15 * 60_000

/** Whether a write to a chain is on its way, or ended a moment ago. */
const hasRecentWrites = async ({ db, now }: Deps, chain: string): Promise<boolean> => {
  const since = new Date(now() - recentForMs)
  const { status, endedAt } = chainTransactions
  const ofChain = eq(chainTransactions.chain, chain)
  const onSolana = eq(solanaTransactions.chain, chain)
  const { guard, guardSignedAt, guardClosedAt } = solanaTransactions
  const isGuarded = and(eq(solanaTransactions.status, 'succeeded'), isNotNull(guard), isNull(guardClosedAt))
  // Each is answered by the first row of an index.
  const questions = [
    [chainTransactions, and(ofChain, eq(status, 'signed'))],
    [chainTransactions, and(ofChain, gt(endedAt, since))],
    [solanaTransactions, and(onSolana, eq(solanaTransactions.status, 'signed'))],
    [solanaTransactions, and(onSolana, isGuarded, gt(guardSignedAt, since))],
  ] as const
  for (const [table, isRecent] of questions) {
    const rows = await db.select({ key: table.key }).from(table).where(isRecent).limit(1)
    if (rows.length) return true
  }
  return false
}

/** How often what was lost is sent again, and how often where no write is on its way. */
export type RecoverTiming = LoopTiming & { restEveryMs: number }

const words = {
  failed: 'cannot send again what the chain may have lost; trying again',
  again: 'sending again what the chain may have lost',
}

/**
 * Starts to resend what a chain has lost. It runs beside the search for payments, so that neither waits for
 * the other, which may take long or fail.
 */
export const recoverLost = (
  deps: Deps,
  chain: ChainPort,
  lease: Lease,
  { restEveryMs, ...timing }: RecoverTiming,
): WakeableLoop => {
  let recoveredAtMs = Number.NEGATIVE_INFINITY
  return watchLoop(deps, { ...timing, chain: chain.chain, words }, async () => {
    if (!(await lease.hold()) || !(await isInUse(deps, chain))) return
    const isAtRest = !(await hasRecentWrites(deps, chain.chain))
    if (isAtRest && deps.now() - recoveredAtMs < restEveryMs) return
    await chain.recover()
    recoveredAtMs = deps.now()
  })
}
