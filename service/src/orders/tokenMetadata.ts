import type { NftMetadata } from 'kassa/schema'
import type { Delivery } from './findDelivery.js'

/** What wallets and marketplaces show of a token (ERC-721 metadata): a copy is like its template, others are numbered. */
export const tokenMetadata = (
  { collection, template }: Pick<Delivery, 'collection' | 'template'>,
  tokenId: string,
): NftMetadata => {
  if (template) return template.metadata
  const { name, description, imageUrl: image } = collection
  return { name: `${name} #${tokenId}`, description, image }
}
