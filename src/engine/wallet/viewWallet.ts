import type { AdminSigner, Wallet } from '../../schema/wallet.js'
import type { WalletType } from '../../schema/walletMembers.js'

/** A wallet as it is stored. A wallet without an owner has no `userLocator`. */
type StoredWallet = {
  type: WalletType
  address: string
  adminSigner: AdminSigner
  userLocator: string | null
  createdAt: Date
}

/** Converts a wallet to its form in the interface. */
export const viewWallet = ({ type, address, adminSigner, userLocator, createdAt }: StoredWallet): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== null && { linkedUser: userLocator }),
  createdAt: createdAt.toISOString(),
})
