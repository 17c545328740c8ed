import { assertWalletSigner, readParams } from 'kassa/engine'
import type { Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import { requireConfirmation, requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { createMessage, createProgramMessage } from './messages/createMessage.js'
import { startTransaction } from './startTransaction.js'
import { isCustodial } from './transaction.js'

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
  if (wallet.type === 'solana-smart-wallet') return createProgramMessage(deps, call, { wallet, body })
  const { type } = wallet
  const params = checkInput(() => readParams(type, body))
  if ('transaction' in params) return createMessage(deps, call, { wallet, params })
  if ('calls' in params) {
    const { signer } = params
    checkInput(() => assertWalletSigner(signer, wallet.adminSigner.locator))
  }
  return startTransaction(deps, call, { wallet, params })
}
