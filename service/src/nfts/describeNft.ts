import type { ActionData } from 'kassa/schema'
import type { NftRow } from './findNft.js'

/**
 * What actions and events tell of a token that is minted.
 *
 * @source interface.md "Events"
 */
export const describeNft = ({ id, owner, tokenId }: NftRow): NonNullable<ActionData['token']> => ({
  id,
  ...(owner !== null && { owner: { walletAddress: owner } }),
  tokenId: `${tokenId}`,
})
