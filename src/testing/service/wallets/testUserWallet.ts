import type { Address, PrivateKeyAccount } from 'viem'
import type { EvmSignerType } from '../../../schema/members.js'
import type { AdminSigner, Wallet } from '../../../schema/wallet.js'

/** Who controls a wallet. `locator` is how transactions name it. */
export type TestSigner = AdminSigner & { type: EvmSignerType; locator: string }

/** A wallet of a user's, as the test service keeps it. */
export type TestUserWallet = {
  id: string
  type: 'evm-smart-wallet' | 'evm-mpc-wallet'
  address: Address
  adminSigner: TestSigner
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
