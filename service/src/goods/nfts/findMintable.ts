import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireChain, requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'

/** A collection, and the chain it is on. */
export type Mintable = { collection: Collection; chain: ChainPort }

/**
 * Finds a project's collection, on a chain that this deployment has.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`.
 */
export const findMintable = async (
  deps: Pick<Deps, 'db' | 'chains'>,
  projectId: string,
  collectionId: string,
): Promise<Mintable> => {
  const collection = await requireCollection(deps.db, projectId, collectionId)
  return { collection, chain: requireChain(deps, collection) }
}
