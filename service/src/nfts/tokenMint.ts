import type { TokenMint } from '../chains/port.js'
import type { BatchedNft } from './batch.js'
import { nftKey } from './findNft.js'
import { toSeconds } from './wholeSeconds.js'

/** Converts a token to its mint on the chain. Every attempt gives the same mint. */
export const toTokenMint = ({ nft, templateLimit }: BatchedNft): TokenMint => {
  const { id, owner, tokenId, uri, templateId, expiresAt } = nft
  if (owner === null) throw new Error(`the token ${id} has no recipient`)
  return {
    ...{ recipient: owner, tokenId, uri, mintKey: nftKey(nft) },
    ...(templateId !== null && { template: { key: templateId, limit: BigInt(templateLimit ?? 0) } }),
    ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
  }
}
