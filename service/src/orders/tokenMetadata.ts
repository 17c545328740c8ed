import type { NftMetadata } from 'kassa/schema'
import type { Delivery } from './findDelivery.js'

/**
 * Returns a token's metadata for wallets and marketplaces (ERC-721). A copy is like its template; others are
 * numbered. Neither changes once the order is paid, so that a pending mint stays described as it was signed.
 */
export const tokenMetadata = (
  { item, template }: Pick<Delivery, 'item' | 'template'>,
  tokenId: string,
): NftMetadata => {
  if (template) return template.metadata
  const { name, description, imageUrl: image } = item.metadata
  return { name: `${name} #${tokenId}`, description, image }
}
