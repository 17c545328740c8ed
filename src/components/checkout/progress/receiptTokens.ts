import type { LineItem } from '../../../schema/index.js'

/** A delivered token with the fields a receipt shows. */
export type ReceiptToken = {
  /** Name of the line item it belongs to. */
  name: string | undefined
  imageUrl: string | undefined
  chain: string | undefined
  /** `<chain>:<contract>:<tokenId>` */
  locator: string
  contractAddress: string | undefined
  tokenId: string | undefined
  /** The token's address on Solana, which has no contract. */
  mintHash: string | undefined
  /** The transaction that delivered it. */
  txId: string | undefined
  /** Who it was bought for: an e-mail address, whose wallet the service keeps, or else a wallet address. */
  recipient: string | undefined
}

/** Lists the delivered tokens of line items, in the order of the purchase. */
export const getReceiptTokens = (lineItems: readonly LineItem[]): ReceiptToken[] =>
  lineItems.flatMap(({ metadata, chain, delivery }) =>
    (delivery.status === 'completed' ? (delivery.tokens ?? []) : []).map((token) => ({
      name: metadata?.name,
      imageUrl: metadata?.imageUrl,
      chain,
      locator: token.locator,
      contractAddress: token.contractAddress,
      tokenId: token.tokenId,
      mintHash: token.mintHash,
      txId: delivery.txId,
      recipient: delivery.recipient?.email ?? delivery.recipient?.walletAddress,
    })),
  )
