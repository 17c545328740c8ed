import type { Transaction as TransactionView } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { StoredCall } from '#base/db/tables/walletTransactions.js'
import type { Deps } from '#base/deps.js'
import type { EncodedCall } from '#base/ports/calls.js'
import { viewTransaction } from './viewTransaction.js'

const toStored = ({ to, value, data, errors }: EncodedCall): StoredCall => ({
  to,
  value: `${value}`,
  data,
  ...(errors?.length && { errors }),
})

/** A transaction to insert. */
export type NewTransaction = Omit<typeof walletTransactions.$inferInsert, 'calls' | 'createdAt'> & {
  calls: readonly EncodedCall[]
}

/**
 * Inserts a transaction together with the answer to its caller, and enqueues its send if it needs no
 * approval.
 */
export const insertTransaction = async (
  deps: Deps,
  call: Call,
  tx: Transaction,
  { calls, ...fresh }: NewTransaction,
): Promise<TransactionView> => {
  const { walletId, chain, status } = fresh
  const [row] = await tx
    .insert(walletTransactions)
    .values({ ...fresh, calls: calls.map(toStored), createdAt: new Date(deps.now()) })
    .returning()
  if (!row) throw new Error('a transaction was not written')
  if (status === 'pending') await deps.jobs.enqueue(tx, 'transactions.send', { walletId, chain })
  const answer = viewTransaction(deps, row)
  await call.complete(tx, { status: 201, body: answer })
  return answer
}
