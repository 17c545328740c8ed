import type { Transaction } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { findWallet } from '../wallets/findWallet.js'
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
