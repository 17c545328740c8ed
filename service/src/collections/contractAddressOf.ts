import type { Deps } from '../deps.js'
import { toCollectionRef } from './collectionRef.js'
import type { Collection } from './findCollection.js'

/** Where a collection's contract is, or will be; undefined while its chain is not enabled. */
export const contractAddressOf = (
  { chains }: Pick<Deps, 'chains'>,
  collection: Collection,
): string | undefined => chains.get(collection.chain)?.collectionAddress(toCollectionRef(collection))
