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
 * Converts a token to its current form in the interface.
 *
 * @source interface.md "Minted NFT"; answers.md "Mint, NFTs, templates, collections"
 */
export const viewNft = (deps: Pick<Deps, 'chains'>, collection: Collection, nft: NftRow): Nft => {
  const { id, status, metadata, templateId, tokenId, owner, txId, expiresAt, actionId } = nft
  const minted = (status === 'success' || status === 'burned') && {
    tokenId: `${tokenId}`,
    ...(owner !== null && status === 'success' && { owner }),
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
