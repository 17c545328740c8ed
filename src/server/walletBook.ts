import type { EvmSignerType } from '../schema/members.js'
import type { Open } from '../schema/open.js'

/** What is known of a user's wallet. */
export type OwnWallet = {
  address: string
  /** Who signs for it; undefined where the service does not say. */
  signerType: Open<EvmSignerType> | undefined
}

/** Users' wallets, by their locators: neither the address of one nor who signs for it ever changes. */
export type WalletBook = {
  get(locator: string): OwnWallet | undefined
  add(locator: string, wallet: OwnWallet): void
}

const mostWallets = 10_000

/** Remembers wallets for as long as the process lives; of very many, the latest. */
export const createWalletBook = (): WalletBook => {
  const known = new Map<string, OwnWallet>()
  return {
    get: (locator) => known.get(locator),
    add: (locator, wallet) => {
      known.set(locator, wallet)
      const [oldest] = known.keys()
      if (known.size > mostWallets && oldest !== undefined) known.delete(oldest)
    },
  }
}
