import type { WalletToken } from 'kassa/schema'
import type { Collection } from '../collections/findCollection.js'
import type { TokenLooks } from './tokenLooks.js'
import type { VerifiedToken } from './verifySlots.js'

/** The latest date that is shown. Contracts count seconds far beyond the year 9999. */
const lastSecond = 253_402_300_799n

/** Formats a time of a chain (epoch seconds) in ISO 8601. */
const formatSeconds = (seconds: bigint): string =>
  new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000).toISOString()

const describe = ({ id, name, description, imageUrl }: Collection) => ({
  id,
  name,
  ...(description && { description }),
  ...(imageUrl && { image: imageUrl }),
})

/**
 * Formats a token for the list of a wallet's tokens.
 *
 * @source interface.md "Wallet token entry"
 */
export const viewWalletToken = (
  chain: string,
  { contract, tokenId, token: { standard, expiresAt } }: VerifiedToken,
  looks: TokenLooks | undefined,
  collection: Collection | undefined,
): WalletToken => ({
  chain,
  contractAddress: contract,
  tokenId,
  metadata: { attributes: [], ...looks, collection: collection ? describe(collection) : {} },
  locator: `${chain}:${contract}:${tokenId}`,
  tokenStandard: standard,
  ...(standard === 'ERC-5643' &&
    expiresAt !== undefined && { subscription: { expiresAt: formatSeconds(expiresAt) } }),
})
