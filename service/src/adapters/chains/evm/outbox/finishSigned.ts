import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { chainAccounts, chainTransactions } from '#base/db/tables/chainTransactions.js'
import { hashesOf, type SignedTransaction } from './signed.js'

/** How a transaction ended in its block, and under which of its hashes. */
export type SignedEnd = { txId: string; blockNumber: bigint; revertReason: string | undefined }

/** A transaction that has ended in a block. */
export type EndedTransaction = { signed: SignedTransaction; end: SignedEnd }

const writeEnds = async (tx: Transaction, ended: readonly SignedTransaction[]): Promise<void> => {
  const list = <Value>(of: (row: SignedTransaction) => Value) => sql.param(ended.map(of))
  const keys = list(({ key }) => key)
  const statuses = list(({ status }) => status)
  const blocks = list(({ blockNumber }) => `${blockNumber}`)
  const reasons = list(({ revertReason }) => revertReason)
  const txIds = list(({ txId }) => txId)
  const others = list(({ otherTxIds }) => otherTxIds && JSON.stringify(otherTxIds))
  await tx
    .update(chainTransactions)
    .set({
      status: sql`ended.status`,
      blockNumber: sql`ended.block_number::bigint`,
      endedAt: ended[0]?.endedAt ?? null,
      revertReason: sql`ended.revert_reason`,
      txId: sql`ended.tx_id`,
      otherTxIds: sql`ended.other_tx_ids::jsonb`,
    })
    .from(
      sql`unnest(${keys}::text[], ${statuses}::text[], ${blocks}::text[], ${reasons}::text[], ${txIds}::text[], ${others}::text[])
        as ended (key, status, block_number, revert_reason, tx_id, other_tx_ids)`,
    )
    .where(eq(chainTransactions.key, sql`ended.key`))
}

/** Records how transactions of one sender ended, and returns them in the order of the input. */
export const finishAll = async (
  tx: Transaction,
  ended: readonly EndedTransaction[],
): Promise<SignedTransaction[]> => {
  const endedAt = new Date()
  const senders = [...new Set(ended.map(({ signed }) => `${signed.chain}:${signed.sender}`))]
  const keys = ended.map(({ signed }) => signed.key)
  // As every process does that signs for the sender.
  await tx.select().from(chainAccounts).where(inArray(chainAccounts.id, senders)).for('update')
  const known = await tx.select().from(chainTransactions).where(inArray(chainTransactions.key, keys))
  const byKey = new Map(known.map((row) => [row.key, row]))
  const rows = ended.map(({ signed, end }): SignedTransaction => {
    const row = byKey.get(signed.key)
    if (!row) throw new Error(`no transaction ${signed.key}`)
    const others = hashesOf(row).filter((hash) => hash !== end.txId)
    return {
      ...row,
      status: end.revertReason === undefined ? 'succeeded' : 'reverted',
      blockNumber: end.blockNumber,
      endedAt,
      revertReason: end.revertReason ?? null,
      txId: end.txId,
      otherTxIds: others.length ? others : null,
    }
  })
  await writeEnds(tx, rows)
  return rows
}

/** Records how a transaction ended. */
export const finishSigned = (
  db: Database,
  signed: SignedTransaction,
  end: SignedEnd,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const [row] = await finishAll(tx, [{ signed, end }])
    if (!row) throw new Error('the end of a transaction was not recorded')
    return row
  })
