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

/** A transaction to insert, and the request that asks for it. */
export type RequestedTransaction = { call: Call; fresh: NewTransaction }

/**
 * Inserts transactions of one channel together with the answers to their callers, and enqueues their send if one of
 * them needs no approval.
 *
 * @returns The answers, in the order of the transactions.
 */
export const insertTransactions = async (
  deps: Deps,
  tx: Transaction,
  requested: readonly RequestedTransaction[],
): Promise<TransactionView[]> => {
  const createdAt = new Date(deps.now())
  const inserted = await tx
    .insert(walletTransactions)
    .values(requested.map(({ fresh }) => ({ ...fresh, calls: fresh.calls.map(toStored), createdAt })))
    .returning()
  const pending = inserted.find(({ status }) => status === 'pending')
  if (pending) {
    const { walletId, chain } = pending
    await deps.jobs.enqueue(tx, 'transactions.send', { walletId, chain })
  }
  const rows = new Map(inserted.map((row) => [row.id, row]))
  const answers: TransactionView[] = []
  for (const { call, fresh } of requested) {
    const row = rows.get(fresh.id)
    if (!row) throw new Error('a transaction was not written')
    const answer = viewTransaction(deps, row)
    await call.complete(tx, { status: 201, body: answer })
    answers.push(answer)
  }
  return answers
}

/** Inserts a transaction in the same way. */
export const insertTransaction = async (
  deps: Deps,
  call: Call,
  tx: Transaction,
  fresh: NewTransaction,
): Promise<TransactionView> => {
  const [answer] = await insertTransactions(deps, tx, [{ call, fresh }])
  if (!answer) throw new Error('a transaction was not written')
  return answer
}
