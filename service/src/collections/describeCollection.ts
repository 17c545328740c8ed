import type { ActionData } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { contractAddressOf } from './contractAddressOf.js'
import type { Collection } from './findCollection.js'

/**
 * What actions and events tell of a collection.
 *
 * @source interface.md "Events"
 */
export const describeCollection = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
): Pick<ActionData, 'chain' | 'collection'> => {
  const contractAddress = contractAddressOf(deps, collection)
  const { chain, id } = collection
  return { chain, collection: { id, ...(contractAddress !== undefined && { contractAddress }) } }
}

/** Path of a collection, below `{base_url}`. */
export const collectionPath = ({ id }: Pick<Collection, 'id'>): string => `/2022-06-09/collections/${id}`
