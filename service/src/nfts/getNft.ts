import { clip } from 'kassa/engine'
import type { Nft } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { requireCollection } from '../collections/requireCollection.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { findNft } from './findNft.js'
import { viewNft } from './viewNft.js'

/**
 * Gets a token of a collection.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getNft = async (
  deps: Deps,
  call: Call,
  { collectionId, nftId }: { collectionId: string; nftId: string },
): Promise<Nft> => {
  requireServerScope(call.actor, 'nfts.read')

  const { projectId } = call.actor
  const collection = await requireCollection(deps.db, projectId, collectionId)
  const nft = await findNft(deps.db, { projectId, collectionId, id: nftId })
  if (!nft) throw new ServiceError('not-found', `Token ${clip(nftId)} not found`)
  return viewNft(deps, collection, nft)
}
