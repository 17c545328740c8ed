import type { Wallet } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { findWallet } from './findWallet.js'
import { viewWallet } from './viewWallet.js'

/**
 * Gets a wallet.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 * @source answers.md "Wallets and transactions"
 */
export const getWallet = async (
  deps: Deps,
  call: Call,
  { walletLocator }: { walletLocator: string },
): Promise<Wallet> => {
  requireServerScope(call.actor, 'wallets.read')
  return viewWallet(await findWallet(deps.db, call.actor.projectId, walletLocator))
}
