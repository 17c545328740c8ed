import type { NftMetadata } from 'kassa/schema'
import type { Delivery } from './findDelivery.js'

/**
 * What wallets and marketplaces show of a token (ERC-721 metadata): a copy is like its template, others are numbered.
 * Neither changes once the order is paid, so that a mint which is on its way is described as it was signed.
 */
export const tokenMetadata = (
  { item, template }: Pick<Delivery, 'item' | 'template'>,
  tokenId: string,
): NftMetadata => {
  if (template) return template.metadata
  const { name, description, imageUrl: image } = item.metadata
  return { name: `${name} #${tokenId}`, description, image }
}
