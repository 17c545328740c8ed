import { desc, eq } from 'drizzle-orm'
import type { Transaction, TransactionList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { requireTransaction } from './transaction.js'
import { viewTransaction } from './viewTransaction.js'

/**
 * Gets a transaction of a wallet.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 */
export const getTransaction = async (
  deps: Deps,
  call: Call,
  { walletLocator, transactionId }: { walletLocator: string; transactionId: string },
): Promise<Transaction> => {
  requireServerScope(call.actor, 'wallets:transactions.read')

  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  return viewTransaction(deps, await requireTransaction(deps.db, wallet, transactionId))
}

/**
 * Lists a wallet's transactions on all chains, newest first.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 * @source interface.md "List wallet transactions"
 */
export const listTransactions = async (
  deps: Deps,
  call: Call,
  { walletLocator, page, perPage }: { walletLocator: string; page: number; perPage: number },
): Promise<TransactionList> => {
  requireServerScope(call.actor, 'wallets:transactions.read')

  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  const { createdAt, sequence, id, walletId } = walletTransactions
  const rows = await deps.db
    .select()
    .from(walletTransactions)
    .where(eq(walletId, wallet.id))
    .orderBy(desc(createdAt), desc(sequence), desc(id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { transactions: rows.map((row) => viewTransaction(deps, row)) }
}
