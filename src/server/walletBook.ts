import type { SignerType } from '../schema/members.js'
import type { Known } from '../schema/open.js'

/** A user's wallet with its permanent facts. */
export type OwnWallet = {
  address: string
  /** The wallet's signer type; undefined if the service does not say. */
  signerType: Known<SignerType> | undefined
}

/** A cache of users' wallets by their locators. A wallet's address and signer never change. */
export type WalletBook = {
  get(locator: string): OwnWallet | undefined
  add(locator: string, wallet: OwnWallet): void
}

const maxWallets = 10_000

/** Creates a cache for the lifetime of the process. When full, it keeps the latest wallets. */
export const createWalletBook = (): WalletBook => {
  const known = new Map<string, OwnWallet>()
  return {
    get: (locator) => known.get(locator),
    add: (locator, wallet) => {
      known.set(locator, wallet)
      const [oldest] = known.keys()
      if (known.size > maxWallets && oldest !== undefined) known.delete(oldest)
    },
  }
}
