import type { TokenStandard } from 'kassa/schema'
import type { CollectionRef, CollectionTerms } from '../chains/port.js'
import type { Collection } from './findCollection.js'

/** The name under which a chain knows a collection: its contract's address follows from it. */
const collectionKey = ({ projectId, id }: { projectId: string; id: string }): string =>
  `collection:${projectId}:${id}`

type Kind = Pick<Collection, 'fungibility' | 'isSubscription'>

/** The standard that a collection's contract follows. */
export const standardOf = ({ fungibility, isSubscription }: Kind): TokenStandard => {
  if (fungibility === 'semi-fungible') return 'erc-1155'
  return isSubscription ? 'erc-5643' : 'erc-721'
}

/** A collection as its chain knows it. */
export const toCollectionRef = (collection: Pick<Collection, 'projectId' | 'id'> & Kind): CollectionRef => ({
  key: collectionKey(collection),
  standard: standardOf(collection),
})

/** What a collection's contract is to be. */
export const toCollectionTerms = (collection: Collection): CollectionTerms => {
  const { name, symbol, contractUri, supplyLimit, paymentRecipient, royaltyBasisPoints } = collection
  return {
    name,
    symbol,
    uri: contractUri ?? '',
    supplyLimit: BigInt(supplyLimit ?? 0),
    transferable: collection.isTransferable,
    ...(paymentRecipient !== null && { owner: paymentRecipient }),
    royaltyBasisPoints,
  }
}
