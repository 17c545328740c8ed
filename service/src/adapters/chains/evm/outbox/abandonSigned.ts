import { eq } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { lockSigned, type SignedTransaction } from './signed.js'

/**
 * Marks a transaction as abandoned because another one used its nonce. Does nothing if it has ended or was
 * signed again.
 */
export const abandonSigned = (
  db: Database,
  stale: SignedTransaction,
  revertReason: string,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known } = await lockSigned(tx, stale)
    if (known.txId !== stale.txId || known.status !== 'signed') return known
    const abandoned = { status: 'reverted' as const, revertReason }
    await tx.update(chainTransactions).set(abandoned).where(eq(chainTransactions.key, stale.key))
    return { ...known, ...abandoned }
  })

/** Whether a transaction was abandoned before any block included it. It must not be sent again. */
export const isAbandoned = ({ status, blockNumber }: SignedTransaction): boolean =>
  status === 'reverted' && blockNumber === null
