import type { ActionData } from 'kassa/schema'
import type { NftRow } from './findNft.js'

/**
 * Returns the data of a minted token for actions and events.
 *
 * @source interface.md "Events"
 */
export const describeNft = ({ id, owner, tokenId }: NftRow): NonNullable<ActionData['token']> => ({
  id,
  ...(owner !== null && { owner: { walletAddress: owner } }),
  tokenId: `${tokenId}`,
})
