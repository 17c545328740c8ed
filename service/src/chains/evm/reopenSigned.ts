import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../../db/database.js'
import { chainTransactions } from '../../db/tables/chainTransactions.js'
import type { Sender, SignedTransaction } from './signed.js'

/**
 * Takes back that a transaction has ended: the block that held it is gone. The reason stays, for one that was given
 * up for it.
 *
 * @param ended - As it was read; if it is another by now, somebody else has seen to it.
 * @returns What is to be sent again; undefined where it is another by now.
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

/** What had ended before, was taken back, and has not ended again as far as is written down. */
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
