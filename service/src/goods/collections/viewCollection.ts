import type { ActionData, Collection as CollectionView, TokenStandard } from 'kassa/schema'
import type { collections } from '#base/db/tables/collections.js'
import type { Deps } from '#base/deps.js'
import type { CollectionRef, CollectionTerms } from '#base/ports/collections.js'
import { featuresOf } from './features.js'

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
  const { id, chain, name, description, imageUrl, symbol, fungibility, supplyLimit, sale } = collection
  const payments = viewPayments(collection)
  const type = namedStandardOf(collection)
  return {
    id,
    metadata: { name, ...(description && { description }), ...(imageUrl && { imageUrl }), symbol },
    fungibility,
    onChain: {
      chain,
      ...(type !== undefined && { type }),
      ...viewAddress(deps, collection),
    },
    transferable: collection.isTransferable,
    ...(supplyLimit !== null && { supplyLimit }),
    supply: { minted: collection.allocatedCount, reserved: collection.reservedCount },
    ...(payments && { payments }),
    ...(sale && { sale }),
    subscription: { enabled: collection.isSubscription },
    ...(actionId !== null && { actionId }),
  }
}

/** Where a collection's contract is, or will be; undefined while its chain is not enabled. */
export const contractAddressOf = (
  { chains }: Pick<Deps, 'chains'>,
  collection: Collection,
): string | undefined => chains.get(collection.chain)?.collectionAddress(toCollectionRef(collection))

/** The address of a collection as the interface names it: a contract's, or a mint's on Solana. */
export const viewAddress = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
): { contractAddress?: string; mintAddress?: string } => {
  const address = contractAddressOf(deps, collection)
  if (address === undefined) return {}
  return { [featuresOf(collection.chain).addressField]: address }
}

/** A token as the interface names it: by its number, or by its mint on Solana. */
export const viewTokenId = (
  { chains }: Pick<Deps, 'chains'>,
  collection: Pick<Collection, 'chain'> & Referred,
  tokenId: bigint,
): { tokenId: string } | { mintHash: string } => {
  const mintHash = chains.get(collection.chain)?.tokenAddress(toCollectionRef(collection), tokenId)
  return mintHash === undefined ? { tokenId: `${tokenId}` } : { mintHash }
}

/**
 * What actions and events tell of a collection.
 *
 * @source interface.md "Events"
 */
export const describeCollection = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
): Pick<ActionData, 'chain' | 'collection'> => {
  const { chain, id } = collection
  return { chain, collection: { id, ...viewAddress(deps, collection) } }
}

/** Path of a collection, below `{base_url}`. */
export const collectionPath = ({ id }: Pick<Collection, 'id'>): string => `/2022-06-09/collections/${id}`

/** The name under which a chain knows a collection: its contract's address follows from it. */
const collectionKey = ({ projectId, id }: { projectId: string; id: string }): string =>
  `collection:${projectId}:${id}`

type Kind = Pick<Collection, 'fungibility' | 'isSubscription'>

/** What {@link toCollectionRef} reads of a collection. */
type Referred = Pick<Collection, 'projectId' | 'id' | 'isTransferable'> & Kind

/** The standard that a collection's contract follows. */
const standardOf = ({ fungibility, isSubscription }: Kind): TokenStandard => {
  if (fungibility === 'semi-fungible') return 'erc-1155'
  return isSubscription ? 'erc-5643' : 'erc-721'
}

/** The standard of a collection's tokens as the interface names it; undefined where it names none. */
export const namedStandardOf = (
  collection: Kind & Pick<Collection, 'chain'>,
): TokenStandard | 'token-2022' | undefined => {
  const { standard } = featuresOf(collection.chain)
  return standard === 'by-kind' ? standardOf(collection) : standard
}

/** A collection as its chain knows it. */
export const toCollectionRef = (collection: Referred): CollectionRef => ({
  key: collectionKey(collection),
  standard: standardOf(collection),
  ...(!collection.isTransferable && { isTransferable: false }),
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
