import type { Wallet } from 'kassa/schema'
import type { WalletRow } from './findWallet.js'

/** Converts a wallet to its form in the interface. */
export const viewWallet = ({ type, address, adminSigner, userLocator, createdAt }: WalletRow): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== null && { linkedUser: userLocator }),
  createdAt: createdAt.toISOString(),
})
