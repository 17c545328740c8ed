import { type CreateCollectionBody, evmChains, isEvmChainName } from 'kassa/schema'
import { hashRequest } from '../lib/hashRequest.js'

/** What tells one request for a collection from another: the same for the same meaning, defaults said or not. */
export const hashCollection = (body: CreateCollectionBody): string => {
  const { chain, payments, subscription } = body
  const isSubscription = subscription?.enabled ?? false
  const native = isEvmChainName(chain) ? evmChains[chain].nativeCurrency : undefined
  const currency = (payments?.currency ?? native)?.toLowerCase()
  const { royaltyBasisPoints, requires, ...price } = payments ?? {}
  return hashRequest({
    fungibility: 'non-fungible',
    transferable: !isSubscription,
    reuploadLinkedFiles: true,
    ...body,
    metadata: { symbol: 'TOKEN', ...body.metadata },
    subscription: { enabled: isSubscription },
    ...(payments && {
      payments: {
        ...price,
        currency,
        ...(royaltyBasisPoints && { royaltyBasisPoints }),
        ...(requires?.length && { requires: [...new Set(requires)].sort() }),
      },
    }),
  })
}
