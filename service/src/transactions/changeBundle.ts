import { and, asc, eq, inArray } from 'drizzle-orm'
import { createUuid } from '../createUuid.js'
import type { Transaction } from '../db/database.js'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { lockLane } from './lanes.js'
import type { TransactionRow } from './transaction.js'

/** Operations that are sent in one transaction: who is among them was fixed before anything was sent. */
export type Bundle = { id: string; members: readonly TransactionRow[] }

/** Reads what has not ended of a bundle. */
export const readMembers = (tx: Transaction, bundleId: string): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.bundleId, bundleId), eq(walletTransactions.status, 'pending')))
    .orderBy(asc(walletTransactions.bundleIndex))
    .for('update')

/** Puts transactions into a bundle of their own, in their order. Their lane is locked. */
export const putTogether = async (
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
 * Takes transactions out of their bundle, none of which happened. They keep their places in it, for a sign that
 * others may know them. Their lane is locked.
 */
export const takeApart = async (tx: Transaction, rows: readonly TransactionRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return
  await tx.update(walletTransactions).set({ bundleId: null }).where(inArray(walletTransactions.id, ids))
}

/** Whether a transaction is being sent, or was once. */
export const wasBundled = ({ bundleId, bundleIndex }: TransactionRow): boolean =>
  bundleId !== null || bundleIndex !== null

/**
 * Decides about a bundle while nobody else does: what a chain said of it holds as long as it is the same. If another
 * process has put some of it into another bundle meanwhile, or some of it is over, nothing is done, and whoever wanted
 * it takes what is due anew.
 *
 * @param members - All of the bundle, as they were taken.
 */
export const changeBundle = (
  { db }: Pick<Deps, 'db'>,
  members: readonly TransactionRow[],
  change: (tx: Transaction) => Promise<unknown>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [first] = members
    if (!first?.bundleId) return
    await lockLane(tx, first)
    const known = await readMembers(tx, first.bundleId)
    // Nobody joins a bundle.
    if (known.length === members.length) await change(tx)
  })
