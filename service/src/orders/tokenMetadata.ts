import type { Collection } from '../collections/findCollection.js'

/** What wallets and marketplaces show of a token (ERC-721 metadata). */
export const tokenMetadata = ({ name, description, imageUrl }: Collection, tokenId: string) => ({
  name: `${name} #${tokenId}`,
  description,
  image: imageUrl,
})
