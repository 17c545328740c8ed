import type { Address, PrivateKeyAccount } from 'viem'
import type { EvmWalletType, StoredSigner } from '../../../engine/wallet/signer.js'
import type { Wallet } from '../../../schema/wallet.js'

/** A wallet of a user's, as the test service keeps it. */
export type TestUserWallet = {
  id: string
  type: EvmWalletType
  address: Address
  adminSigner: StoredSigner
  /** Such as `email:ada@example.com`; undefined for a wallet without an owner. */
  userLocator: string | undefined
  /** The key of a wallet that the service signs for. */
  custodian: PrivateKeyAccount | undefined
  createdAtMs: number
}

/** A wallet as the service shows it. */
export const viewTestUserWallet = ({
  type,
  address,
  adminSigner,
  userLocator,
  createdAtMs,
}: TestUserWallet): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== undefined && { linkedUser: userLocator }),
  createdAt: new Date(createdAtMs).toISOString(),
})
