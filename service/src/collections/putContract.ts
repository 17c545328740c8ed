import { attemptKey, type ChainPort, type WriteResult } from '../chains/port.js'
import { toCollectionRef, toCollectionTerms } from './collectionRef.js'
import type { Collection } from './findCollection.js'

/**
 * Puts a collection's contract on its chain, where it is not there yet. All who need it share its attempts: any of
 * them may have put it there.
 *
 * @param attempts - How often it may be tried: what failed is failed for good under its own attempt.
 */
export const putContract = async (
  chain: ChainPort,
  collection: Collection,
  attempts: number,
): Promise<WriteResult> => {
  const ref = toCollectionRef(collection)
  const terms = toCollectionTerms(collection)
  for (let attempt = 1; ; attempt++) {
    const created = await chain.createCollection(attemptKey(ref.key, attempt), { collection: ref, terms })
    if (created.status === 'succeeded' || attempt >= attempts) return created
  }
}
