import { and, asc, eq, inArray } from 'drizzle-orm'
import type { TransactionError, UserOperation } from 'kassa/schema'
import { createUuid } from '../createUuid.js'
import type { Transaction } from '../db/database.js'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { isPendingIn, type Lane, lockLane } from './lanes.js'
import { screenTransaction } from './screen.js'
import type { TransactionRow } from './transaction.js'
import { operationOf } from './viewTransaction.js'

/** Operations that are sent in one transaction: who is among them was fixed before anything was sent. */
export type Bundle = { id: string; members: readonly TransactionRow[] }

const mostOperations = 20
/** Less than half of what the smallest block holds. */
const mostGas = 10_000_000n

const gasOf = (operation: UserOperation): bigint =>
  [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit,
    operation.paymasterPostOpGasLimit,
  ].reduce((sum, gas) => sum + BigInt(gas ?? 0), 0n)

const readPending = (tx: Transaction, lane: Lane): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(isPendingIn(lane))
    .orderBy(asc(walletTransactions.sequence))
    .limit(mostOperations)

/** The first of those that wait, as many as are sent together; one that is to be given up stands alone. */
const chooseMembers = (deps: Deps, waiting: readonly TransactionRow[]): TransactionRow[] => {
  const chosen: TransactionRow[] = []
  let gas = 0n
  for (const row of waiting) {
    gas += gasOf(operationOf(row).operation)
    const isApart = row.bundleId !== null || row.error !== null || gas > mostGas
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

const readMembers = (tx: Transaction, bundleId: string): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.bundleId, bundleId), eq(walletTransactions.status, 'pending')))
    .orderBy(asc(walletTransactions.bundleIndex))

/** Puts transactions into a bundle of their own, in their order. */
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

/** Takes transactions out of their bundle, none of which happened. */
export const takeApart = async (tx: Transaction, rows: readonly TransactionRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return
  await tx
    .update(walletTransactions)
    .set({ bundleId: null, bundleIndex: null })
    .where(inArray(walletTransactions.id, ids))
}

/**
 * Takes what is due next of a wallet on a chain: a bundle that was put together before, whether it was sent then or
 * not, or the first of those that wait. Undefined where nothing does.
 */
export const takeBundle = (deps: Deps, lane: Lane): Promise<Bundle | undefined> =>
  deps.db.transaction(async (tx) => {
    await lockLane(tx, lane)
    const waiting = await readPending(tx, lane)
    const [first, ...others] = waiting
    if (!first) return undefined
    if (first.bundleId !== null) return { id: first.bundleId, members: await readMembers(tx, first.bundleId) }
    return putTogether(deps, tx, chooseMembers(deps, [await screenFirst(deps, tx, first), ...others]))
  })
