import type { WalletToken } from 'kassa/schema'
import { getChainLabel } from '../networks'
import { readText } from '../read'

/** A token in the words of its wallet. */
export type TokenDescription = {
  name: string
  collection: string | undefined
  /** Its chain's name for people. */
  chainLabel: string
  image: string | undefined
  /** Until when it runs, of a subscription. */
  expiresAt: Date | undefined
}

/** Finds the words for a token, whoever made it and however little they said. */
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
