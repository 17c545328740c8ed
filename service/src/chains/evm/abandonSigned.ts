import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database.js'
import { chainTransactions } from '../../db/tables/chainTransactions.js'
import { lockSigned, type SignedTransaction } from './signed.js'

/** Gives up a transaction whose nonce another one has used, unless it has ended or was signed anew already. */
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

/** Whether a transaction was given up that is in no block: it must not be sent any more. */
export const isAbandoned = ({ status, blockNumber }: SignedTransaction): boolean =>
  status === 'reverted' && blockNumber === null
