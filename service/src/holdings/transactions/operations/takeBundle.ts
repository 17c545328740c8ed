import { and, asc, eq, notInArray } from 'drizzle-orm'
import { operationOf } from 'kassa/engine'
import type { TransactionError, UserOperation } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkSanctions } from '../checkSanctions.js'
import { isPendingIn, lockNonceChannel, type NonceChannel } from '../nonceChannels.js'
import type { TransactionRow } from '../transaction.js'
import { type Bundle, createBundle, readMembers } from './changeBundle.js'
import { gasOf } from './operationCost.js'

const maxOperations = 20
/**
 * A limit at which the highest fee is still accepted by nodes that refuse transactions for more than one
 * coin.
 */
const maxGas = 5_000_000n

/**
 * Less than chains accept in one transaction, and the bytes of an operation besides its calls and signature.
 */
const maxBytes = 80_000
const ownBytes = 1_000

const bytesOf = ({ callData, signature }: UserOperation): number =>
  (callData.length + signature.length) / 2 + ownBytes

const readPending = (
  tx: Transaction,
  channel: NonceChannel,
  skipped: readonly string[],
): Promise<TransactionRow[]> =>
  tx
    .select()
    .from(walletTransactions)
    .where(and(isPendingIn(channel), notInArray(walletTransactions.id, [...skipped])))
    .orderBy(asc(walletTransactions.sequence))
    .limit(maxOperations)

/**
 * Chooses the first of the waiting transactions, as many as are sent together. One to be abandoned stays
 * alone.
 */
const chooseMembers = (deps: Deps, waiting: readonly TransactionRow[]): TransactionRow[] => {
  const chosen: TransactionRow[] = []
  let gas = 0n
  let bytes = 0
  for (const row of waiting) {
    const { operation } = operationOf(row)
    gas += gasOf(operation)
    bytes += bytesOf(operation)
    const isOver = gas > maxGas || bytes > maxBytes
    const isApart = row.bundleId !== null || row.error !== null || isOver
    if (chosen.length && (isApart || checkSanctions(deps, row))) break
    chosen.push(row)
    if (row.error !== null) break
  }
  return chosen
}

/** Abandons the first transaction if it must not be sent any more. */
const screenFirst = async (deps: Deps, tx: Transaction, first: TransactionRow): Promise<TransactionRow> => {
  const error = first.error ?? checkSanctions(deps, first)
  return error ? giveUp(tx, first, error) : first
}

/**
 * Records that a transaction must not be sent any more. It has not failed yet, because it may have been sent
 * before.
 */
export const giveUp = async (
  tx: Transaction,
  row: TransactionRow,
  error: TransactionError,
): Promise<TransactionRow> => {
  await tx.update(walletTransactions).set({ error }).where(eq(walletTransactions.id, row.id))
  return { ...row, error }
}

/**
 * Takes the next due bundle of a channel: one created before, sent or not, or a new one of the first waiting
 * transactions. Returns `undefined` if none are waiting.
 *
 * @param skipped - The ids of transactions to leave for later.
 */
export const takeBundle = (
  deps: Deps,
  channel: NonceChannel,
  skipped: readonly string[] = [],
): Promise<Bundle | undefined> =>
  deps.db.transaction(async (tx) => {
    await lockNonceChannel(tx, channel)
    const waiting = await readPending(tx, channel, skipped)
    const [first, ...others] = waiting
    if (!first) return undefined
    if (first.bundleId !== null) return { id: first.bundleId, members: await readMembers(tx, first.bundleId) }
    return createBundle(deps, tx, chooseMembers(deps, [await screenFirst(deps, tx, first), ...others]))
  })
