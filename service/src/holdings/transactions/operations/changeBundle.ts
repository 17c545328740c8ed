import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import { lockNonceChannel } from '../nonceChannels.js'
import type { TransactionRow } from '../transaction.js'

/** Operations to send in one transaction. The members are fixed before anything is sent. */
export type Bundle = { id: string; members: readonly TransactionRow[] }

/** Reads the members of a bundle that have not ended. */
export const readMembers = (tx: Transaction, bundleId: string): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.bundleId, bundleId), eq(walletTransactions.status, 'pending')))
    .orderBy(asc(walletTransactions.bundleIndex))
    .for('update')

/** Creates a bundle of transactions, in their order. The caller holds the channel's lock. */
export const createBundle = async (
  deps: Pick<Deps, 'randomBytes'>,
  tx: Transaction,
  rows: readonly TransactionRow[],
): Promise<Bundle> => {
  const id = createUuid(deps.randomBytes)
  for (const [bundleIndex, row] of rows.entries()) {
    await tx
      .update(walletTransactions)
      .set({ bundleId: id, bundleIndex })
      .where(eq(walletTransactions.id, row.id))
  }
  return { id, members: rows.map((row, bundleIndex) => ({ ...row, bundleId: id, bundleIndex })) }
}

/**
 * Dissolves the bundle of transactions, none of which happened. They keep their `bundleIndex`, as a mark that
 * they may be known to others. The caller holds the channel's lock.
 */
export const dissolveBundle = async (tx: Transaction, rows: readonly TransactionRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return
  await tx.update(walletTransactions).set({ bundleId: null }).where(inArray(walletTransactions.id, ids))
}

/** Whether a transaction is being sent, or was sent before. */
export const wasBundled = ({ bundleId, bundleIndex }: TransactionRow): boolean =>
  bundleId !== null || bundleIndex !== null

/**
 * Changes a bundle under the channel's lock, so that the chain's answer about it still applies. If another
 * process has moved a member to another bundle, or a member has ended, it changes nothing, and the caller
 * reads the due transactions again.
 *
 * @param members - All members of the bundle, as read.
 */
export const changeBundle = (
  { db }: Pick<Deps, 'db'>,
  members: readonly TransactionRow[],
  change: (tx: Transaction) => Promise<unknown>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [first] = members
    if (!first?.bundleId) return
    await lockNonceChannel(tx, first)
    const known = await readMembers(tx, first.bundleId)
    // A bundle never gains members.
    if (known.length === members.length) await change(tx)
  })
