import type { LineItem } from '../schema/index.js'
import type { ForcedItem, ForcedState } from './forcedStates.js'

/** Identifiers that are recognisable as invented. */
export const inventedTxId = `0x${'f0'.repeat(32)}`
const inventedContract = `0x${'f0'.repeat(20)}`
const inventedMintHash = 'Forced'.padEnd(44, '1')

const inventToken = (chain: string, index: number) =>
  chain.startsWith('solana')
    ? { locator: `${chain}:${inventedMintHash}`, mintHash: inventedMintHash }
    : {
        locator: `${chain}:${inventedContract}:${index + 1}`,
        contractAddress: inventedContract,
        tokenId: String(index + 1),
      }

/** Returns a line item as it would look in a state. */
export const forceItem = (
  item: LineItem,
  index: number,
  { quote: quoteStatus = 'valid', delivery: deliveryStatus = 'awaiting-payment' }: ForcedItem,
  { hasNoPrice, hasNoRecipient }: ForcedState,
): LineItem => {
  const { unavailabilityReason, totalPrice, charges, ...quote } = item.quote
  const { txId, tokens, recipient, ...delivery } = item.delivery
  const isUnavailable = quoteStatus === 'item-unavailable'
  return {
    ...item,
    quote: {
      ...quote,
      status: quoteStatus,
      ...(!hasNoPrice && !isUnavailable && { totalPrice, charges }),
      ...(isUnavailable && {
        unavailabilityReason: unavailabilityReason ?? { code: 'sold-out', message: 'Sold out' },
      }),
    },
    delivery: {
      ...delivery,
      status: deliveryStatus,
      ...(!hasNoRecipient && { recipient }),
      ...(deliveryStatus === 'completed' && {
        txId: txId ?? inventedTxId,
        tokens: tokens ?? [inventToken(item.chain ?? 'chain', index)],
      }),
    },
  }
}
