import { chainFamilyOf } from 'kassa/engine'
import type { ActionData, Collection as CollectionView, TokenStandard } from 'kassa/schema'
import type { collections } from '../db/tables/collections.js'
import type { Deps } from '../deps.js'
import type { CollectionRef, CollectionTerms } from '../ports/collections.js'

/** A collection as it is kept. */
export type Collection = typeof collections.$inferSelect

const viewPayments = (collection: Collection): CollectionView['payments'] => {
  const { price, priceCurrency, paymentCurrencies, paymentRecipient, royaltyBasisPoints, requires } =
    collection
  if (price === null || priceCurrency === null) return undefined
  return {
    price,
    currency: priceCurrency,
    ...(paymentCurrencies && { currencies: paymentCurrencies }),
    ...(paymentRecipient !== null && { recipientAddress: paymentRecipient }),
    royaltyBasisPoints,
    ...(requires.length && { requires: [...requires] }),
  }
}

/**
 * Shows a collection as the interface has it. What was never given is left out.
 *
 * @param actionId - What the caller is to follow; without it, the action that put the collection on chain.
 */
export const viewCollection = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
  actionId: string | null = collection.actionId,
): CollectionView => {
  const { id, chain, name, description, imageUrl, symbol, fungibility, supplyLimit } = collection
  const contractAddress = contractAddressOf(deps, collection)
  const payments = viewPayments(collection)
  const isEvm = chainFamilyOf(chain) === 'evm'
  return {
    id,
    metadata: { name, ...(description && { description }), ...(imageUrl && { imageUrl }), symbol },
    fungibility,
    onChain: {
      chain,
      ...(isEvm && { type: standardOf(collection) }),
      ...(contractAddress !== undefined && { contractAddress }),
    },
    ...((isEvm || chain === 'aptos') && { transferable: collection.isTransferable }),
    ...(supplyLimit !== null && { supplyLimit }),
    ...(payments && { payments }),
    subscription: { enabled: collection.isSubscription },
    ...(actionId !== null && { actionId }),
  }
}

/** Where a collection's contract is, or will be; undefined while its chain is not enabled. */
export const contractAddressOf = (
  { chains }: Pick<Deps, 'chains'>,
  collection: Collection,
): string | undefined => chains.get(collection.chain)?.collectionAddress(toCollectionRef(collection))

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

/** The name under which a chain knows a collection: its contract's address follows from it. */
const collectionKey = ({ projectId, id }: { projectId: string; id: string }): string =>
  `collection:${projectId}:${id}`

type Kind = Pick<Collection, 'fungibility' | 'isSubscription'>

/** The standard that a collection's contract follows. */
const standardOf = ({ fungibility, isSubscription }: Kind): TokenStandard => {
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
