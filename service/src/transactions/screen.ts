import type { TransactionError } from 'kassa/schema'
import type { Deps } from '../deps.js'
import type { WalletRow } from '../wallets/findWallet.js'
import { findSanctioned, toSanctionError } from '../wallets/sanctions.js'
import type { TransactionRow } from './transaction.js'

/** Why nothing at all may be sent from a wallet; undefined where it may. */
export const screenWallet = ({ config }: Deps, wallet: WalletRow): TransactionError | undefined => {
  const found = findSanctioned(config.sanctionedAddresses, wallet.address, wallet.adminSigner.address ?? '')
  return found === undefined ? undefined : toSanctionError(found)
}

/** Why a transaction may not be sent: the list may have grown since it was created. */
export const screenTransaction = (
  { config }: Deps,
  { calls }: TransactionRow,
): TransactionError | undefined => {
  const found = findSanctioned(config.sanctionedAddresses, ...calls.flatMap(({ to, data }) => [to, data]))
  return found === undefined ? undefined : toSanctionError(found)
}
