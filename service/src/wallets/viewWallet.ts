import type { Wallet } from 'kassa/schema'
import type { WalletRow } from './findWallet.js'

/** Shows a wallet as the interface has it. */
export const viewWallet = ({ type, address, adminSigner, userLocator, createdAt }: WalletRow): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== null && { linkedUser: userLocator }),
  createdAt: createdAt.toISOString(),
})
