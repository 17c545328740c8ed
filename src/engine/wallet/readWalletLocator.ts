import * as z from 'zod/mini'
import { parseWalletLocator, WalletLocator } from '../../schema/walletLocator.js'
import type { WalletType } from '../../schema/walletMembers.js'
import { clip } from '../clip.js'
import { invalid } from '../invalidInput.js'
import { Refusal } from '../refusal.js'
import { readWalletAddress } from './parseChainAddress.js'
import { userLocator } from './userLocator.js'

/** How a request names a wallet: by its address in canonical form, or by its owner and type. */
export type NamedWallet = { address: string } | { userLocator: string; type: WalletType }

const field = 'walletLocator'

/**
 * Reads the locator of a wallet.
 *
 * @throws {@link InvalidInput}
 * @source interface.md "Wallet locator formats"
 */
export const readWalletLocator = (locator: string): NamedWallet => {
  const parts = parseWalletLocator(locator)
  if (!parts) {
    const fault = z.safeParse(WalletLocator, locator).error?.issues[0]?.message
    throw invalid(field, fault ?? 'expected a wallet locator')
  }
  if (parts.kind === 'user') {
    return { userLocator: userLocator(parts.user.kind, parts.user.value), type: parts.walletType }
  }
  const address = readWalletAddress(field, parts.address)
  if (address === undefined) throw invalid(field, `${clip(parts.address)} is not an address`)
  return { address }
}

/** Returns the refusal of a wallet that the project does not have. */
export const walletNotFound = (locator: string) => new Refusal('not-found', `Wallet ${locator} not found`)
