import type { Nft } from 'kassa/schema'
import { contractAddressOf } from '../collections/contractAddressOf.js'
import type { Collection } from '../collections/findCollection.js'
import type { Deps } from '../deps.js'
import type { NftRow } from './findNft.js'

const addressOf = (deps: Pick<Deps, 'chains'>, collection: Collection) => {
  const contractAddress = contractAddressOf(deps, collection)
  return contractAddress === undefined ? {} : { contractAddress }
}

/**
 * What whoever asked for a token is answered, however often and whatever has become of it since.
 *
 * @source interface.md "Minted NFT"
 */
export const viewMint = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
  { id, actionId }: Pick<NftRow, 'id' | 'actionId'>,
): Nft => ({
  id,
  onChain: { status: 'pending', chain: collection.chain, ...addressOf(deps, collection) },
  ...(actionId !== null && { actionId }),
})

/**
 * A token as it is now.
 *
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const viewNft = (deps: Pick<Deps, 'chains'>, collection: Collection, nft: NftRow): Nft => {
  const { id, status, metadata, templateId, tokenId, owner, txId, expiresAt, actionId } = nft
  const minted = status === 'success' && {
    tokenId: `${tokenId}`,
    ...(owner !== null && { owner }),
    ...(txId !== null && { txId }),
  }
  return {
    id,
    metadata,
    ...(templateId !== null && { templateId }),
    onChain: { status, chain: collection.chain, ...addressOf(deps, collection), ...minted },
    ...(expiresAt && { subscription: { expiresAt: expiresAt.toISOString() } }),
    ...(actionId !== null && { actionId }),
  }
}
