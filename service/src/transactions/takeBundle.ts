import { and, asc, eq, notInArray } from 'drizzle-orm'
import type { TransactionError, UserOperation } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { type Bundle, putTogether, readMembers } from './changeBundle.js'
import { isPendingIn, type Lane, lockLane } from './lanes.js'
import { gasOf } from './operationCost.js'
import { screenTransaction } from './screen.js'
import type { TransactionRow } from './transaction.js'
import { operationOf } from './viewTransaction.js'

const mostOperations = 20
/** So much that what it may cost is still sent by nodes that refuse transactions for more than one coin. */
const mostGas = 5_000_000n

/** Less than chains take in one transaction, and what each operation has beside its calls and signature. */
const mostBytes = 80_000
const ownBytes = 1_000

const bytesOf = ({ callData, signature }: UserOperation): number =>
  (callData.length + signature.length) / 2 + ownBytes

const readPending = (tx: Transaction, lane: Lane, skipped: readonly string[]): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(and(isPendingIn(lane), notInArray(walletTransactions.id, [...skipped])))
    .orderBy(asc(walletTransactions.sequence))
    .limit(mostOperations)

/** The first of those that wait, as many as are sent together; one that is to be given up stands alone. */
const chooseMembers = (deps: Deps, waiting: readonly TransactionRow[]): TransactionRow[] => {
  const chosen: TransactionRow[] = []
  let gas = 0n
  let bytes = 0
  for (const row of waiting) {
    const { operation } = operationOf(row)
    gas += gasOf(operation)
    bytes += bytesOf(operation)
    const isOver = gas > mostGas || bytes > mostBytes
    const isApart = row.bundleId !== null || row.error !== null || isOver
    if (chosen.length && (isApart || screenTransaction(deps, row))) break
    chosen.push(row)
    if (row.error !== null) break
  }
  return chosen
}

/** Has the first given up if it may not be sent any more. */
const screenFirst = async (deps: Deps, tx: Transaction, first: TransactionRow): Promise<TransactionRow> => {
  const error = first.error ?? screenTransaction(deps, first)
  return error ? giveUp(tx, first, error) : first
}

/** Writes down that a transaction is not to be sent any more. It has not failed yet: it may have been sent before. */
export const giveUp = async (
  tx: Transaction,
  row: TransactionRow,
  error: TransactionError,
): Promise<TransactionRow> => {
  await tx.update(walletTransactions).set({ error }).where(eq(walletTransactions.id, row.id))
  return { ...row, error }
}

/**
 * Takes what is due next of a wallet on a chain: a bundle that was put together before, whether it was sent then or
 * not, or the first of those that wait. Undefined where nothing does.
 *
 * @param skipped - The ids of those that are left for later.
 */
export const takeBundle = (
  deps: Deps,
  lane: Lane,
  skipped: readonly string[] = [],
): Promise<Bundle | undefined> =>
  deps.db.transaction(async (tx) => {
    await lockLane(tx, lane)
    const waiting = await readPending(tx, lane, skipped)
    const [first, ...others] = waiting
    if (!first) return undefined
    if (first.bundleId !== null) return { id: first.bundleId, members: await readMembers(tx, first.bundleId) }
    return putTogether(deps, tx, chooseMembers(deps, [await screenFirst(deps, tx, first), ...others]))
  })
