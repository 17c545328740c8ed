import { and, asc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { nfts, walletTransactions } from '#base/db/tables/index.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { Deps } from '#base/deps.js'
import type { WalletResult } from '#base/ports/write.js'
import { recordBurn } from '#goods/nfts/recordDelivered.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { emitEvent } from '#notify/webhooks/emitEvent.js'
import type { TransactionRow } from './transaction.js'
import { viewTransaction } from './viewTransaction.js'

/** The result of a transaction that has ended. */
export type EndedTransaction = { id: string; result: WalletResult }

const tell = async (deps: Deps, tx: Transaction, wallet: WalletRow, row: TransactionRow): Promise<void> => {
  const { id, projectId, status, createdAt, completedAt } = row
  const event = {
    projectId,
    actionId: id,
    startedAtMs: createdAt.getTime(),
    data: viewTransaction(deps, row),
    resource: `/2022-06-09/wallets/${wallet.address}/transactions/${id}`,
  }
  if (status !== 'success') return emitEvent(deps, tx, { ...event, type: 'wallets.transaction.failed' })
  const completedAtMs = completedAt?.getTime() ?? deps.now()
  return emitEvent(deps, tx, { ...event, type: 'wallets.transaction.succeeded', completedAtMs })
}

/** Returns those of some results that are not recorded yet, and prevents other processes from recording them. */
const lockOpen = async (tx: Transaction, ended: readonly EndedTransaction[]): Promise<EndedTransaction[]> => {
  const { id, sequence, completedAt } = walletTransactions
  const ids = ended.map((each) => each.id)
  const open = await tx
    .select({ id })
    .from(walletTransactions)
    .where(and(inArray(id, ids), isNull(completedAt)))
    // Every transaction locks several in one order.
    .orderBy(asc(sequence), asc(id))
    .for('update')
  const isOpen = new Set(open.map((row) => row.id))
  return ended.filter((each) => isOpen.has(each.id))
}

const writeResults = (
  deps: Deps,
  tx: Transaction,
  ended: readonly EndedTransaction[],
): Promise<TransactionRow[]> => {
  const error = ({ result }: EndedTransaction) =>
    result.status === 'failed' ? JSON.stringify(result.error) : null
  const ids = sql.param(ended.map(({ id }) => id))
  const statuses = sql.param(ended.map(({ result }) => result.status))
  const txIds = sql.param(ended.map(({ result }) => result.txId ?? null))
  const errors = sql.param(ended.map(error))
  return tx
    .update(walletTransactions)
    .set({
      status: sql`ended.status`,
      txId: sql`ended.tx_id`,
      error: sql`ended.error::jsonb`,
      completedAt: new Date(deps.now()),
    })
    .from(
      sql`unnest(${ids}::uuid[], ${statuses}::text[], ${txIds}::text[], ${errors}::text[]) as ended (id, status, tx_id, error)`,
    )
    .where(eq(walletTransactions.id, sql`ended.id`))
    .returning(getTableColumns(walletTransactions))
}

/** Finds the transactions that burn a token, of some. */
const findBurns = async (tx: Transaction, ids: string[]): Promise<ReadonlySet<string | null>> => {
  const rows = await tx.select({ id: nfts.burnActionId }).from(nfts).where(inArray(nfts.burnActionId, ids))
  return new Set(rows.map(({ id }) => id))
}

/**
 * Records the results of transactions and emits an event for each, once. A second process finds that they
 * have ended.
 *
 * @source answers.md "Webhooks"
 */
export const recordResults = async (
  deps: Deps,
  tx: Transaction,
  wallet: WalletRow,
  ended: readonly EndedTransaction[],
): Promise<void> => {
  const open = ended.length ? await lockOpen(tx, ended) : []
  if (!open.length) return
  const rows = new Map((await writeResults(deps, tx, open)).map((row) => [row.id, row]))
  const burns = await findBurns(tx, [...rows.keys()])
  for (const { id, result } of open) {
    const row = rows.get(id)
    if (!row) throw new Error('a transaction is gone')
    await tell(deps, tx, wallet, row)
    if (burns.has(id)) await recordBurn(deps, tx, { id, result })
  }
}

/** Creates the function that records a result. Results that come while others are recorded share a transaction. */
export const createRecorder = (deps: Deps, wallet: WalletRow): ((ended: EndedTransaction) => Promise<void>) =>
  createTransactionBatch(deps.db, async (tx, ended: readonly EndedTransaction[]) => {
    await recordResults(deps, tx, wallet, ended)
    return ended.map(() => undefined)
  })
