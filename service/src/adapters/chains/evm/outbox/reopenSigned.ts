import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { Sender, SignedTransaction } from './signed.js'

/**
 * Marks a transaction that had ended as signed again, because its block is gone. An abandoned transaction
 * keeps its reason.
 *
 * @param ended - The transaction as it was read. If it has changed since, another process has handled it.
 * @returns The transaction to send again, or `undefined` if it has changed.
 */
export const reopenSigned = async (
  db: Database,
  { key, txId, status, blockNumber }: SignedTransaction,
): Promise<SignedTransaction | undefined> => {
  const block = chainTransactions.blockNumber
  const isSame = and(
    eq(chainTransactions.key, key),
    eq(chainTransactions.txId, txId),
    eq(chainTransactions.status, status),
    blockNumber === null ? isNull(block) : eq(block, blockNumber),
  )
  const open = { status: 'signed' as const, blockNumber: null }
  return (await db.update(chainTransactions).set(open).where(isSame).returning())[0]
}

/** Finds transactions that had ended, were reopened, and have not been recorded as ended again. */
export const findReopened = (db: Database, { chain, sender }: Sender): Promise<SignedTransaction[]> =>
  db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.chain, chain),
        eq(chainTransactions.sender, sender),
        eq(chainTransactions.status, 'signed'),
        isNotNull(chainTransactions.endedAt),
      ),
    )
