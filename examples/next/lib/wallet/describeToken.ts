import type { WalletToken } from 'kassa/schema'
import { getChainLabel } from '../networks'
import { readText } from '../read'

/** A token's display texts. */
export type TokenDescription = {
  name: string
  collection: string | undefined
  /** The chain's display name. */
  chainLabel: string
  image: string | undefined
  /** When it expires, if it is a subscription. */
  expiresAt: Date | undefined
}

/** Returns a token's display texts, even if its metadata is incomplete. */
export const describeToken = (token: WalletToken): TokenDescription => {
  const { metadata, chain, tokenId, subscription } = token
  const collection = readText(metadata.collection?.name)
  const expiresAtMs = Date.parse(subscription?.expiresAt ?? '')
  return {
    name: readText(metadata.name) ?? collection ?? `Token ${tokenId ?? ''}`.trim(),
    collection,
    chainLabel: getChainLabel(chain),
    image: readText(metadata.image),
    expiresAt: Number.isNaN(expiresAtMs) ? undefined : new Date(expiresAtMs),
  }
}
