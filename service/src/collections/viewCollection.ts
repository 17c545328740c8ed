import { type Collection as CollectionView, isEvmChainName } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { standardOf } from './collectionRef.js'
import { contractAddressOf } from './contractAddressOf.js'
import type { Collection } from './findCollection.js'

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
  const isEvm = isEvmChainName(chain)
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
