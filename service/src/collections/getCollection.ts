import type { Collection as CollectionView } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { requireCollection } from './requireCollection.js'
import { viewCollection } from './viewCollection.js'

/**
 * Reads a collection.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getCollection = async (
  deps: Deps,
  call: Call,
  { collectionId }: { collectionId: string },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.read')
  return viewCollection(deps, await requireCollection(deps.db, call.actor.projectId, collectionId))
}
