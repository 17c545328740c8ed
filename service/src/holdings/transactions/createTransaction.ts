import type { Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { requireConfirmation, requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import { transactionKindOf } from './kinds.js'

/**
 * Creates a transaction of a wallet: simulates it, numbers it and stores it. It then awaits the signer's
 * approval, or is sent at once if the service signs.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `unprocessable`, `reverted`.
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 */
export const createTransaction = async (
  deps: Deps,
  call: Call,
  { walletLocator, body }: { walletLocator: string; body: unknown },
): Promise<Transaction> => {
  requireServerScope(call.actor, 'wallets:transactions.create')

  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  if (isCustodial(wallet)) requireConfirmation(call.actor, deps.now())
  return transactionKindOf(wallet).create(deps, call, { wallet, body })
}
