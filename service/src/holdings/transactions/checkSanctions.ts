import type { TransactionError } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { findSanctioned, toSanctionError } from '#identity/wallets/sanctions.js'
import type { TransactionRow } from './transaction.js'

/** Returns why a wallet must not send anything, or `undefined` if it may. */
export const screenWallet = ({ config }: Deps, wallet: WalletRow): TransactionError | undefined => {
  const found = findSanctioned(config.sanctionedAddresses, wallet.address, wallet.adminSigner.address ?? '')
  return found === undefined ? undefined : toSanctionError(found)
}

/** Returns why a transaction must not be sent. The list may have grown since it was created. */
export const checkSanctions = (
  { config }: Deps,
  { calls, message }: TransactionRow,
): TransactionError | undefined => {
  const texts = [...calls.flatMap(({ to, data }) => [to, data]), ...(message?.parties ?? [])]
  const found = findSanctioned(config.sanctionedAddresses, ...texts)
  return found === undefined ? undefined : toSanctionError(found)
}
