import type { WalletToken } from 'kassa/schema'
import type { Translate } from '../language/createTranslate'
import { getChainLabel } from '../networks'
import { readText } from '../read'

/** A token's display texts. */
export type TokenDescription = {
  /** The name without its number. */
  name: string
  /** The number in its collection; undefined if the name says it in its own way. */
  number: string | undefined
  collection: string | undefined
  /** The chain's display name. */
  chainLabel: string
  image: string | undefined
  /** When it expires, if it is a subscription. */
  expiresAt: Date | undefined
}

/** Splits `Dunes at Dusk #7`, as tokens of an order are named on their network. */
const splitName = (
  full: string,
  tokenId: string | undefined,
): { name: string; number: string | undefined } => {
  const { name, number } = /^(?<name>.+) #(?<number>\d+)$/s.exec(full)?.groups ?? {}
  // A token on Solana has no id but its address.
  if (name && number && (tokenId ?? number) === number) return { name, number }
  return { name: full, number: tokenId && !full.includes(tokenId) ? tokenId : undefined }
}

/** Returns a token's display texts, even if its metadata is incomplete. */
export const describeToken = (token: WalletToken, t: Translate<'wallet'>): TokenDescription => {
  const { metadata, chain, tokenId, subscription } = token
  const collection = readText(metadata.collection?.name)
  const expiresAtMs = Date.parse(subscription?.expiresAt ?? '')
  return {
    ...splitName(
      readText(metadata.name) ?? collection ?? t('unnamedToken', { number: tokenId ?? '' }).trim(),
      tokenId,
    ),
    collection,
    chainLabel: getChainLabel(chain),
    image: readText(metadata.image),
    expiresAt: Number.isNaN(expiresAtMs) ? undefined : new Date(expiresAtMs),
  }
}
