import type { LineItem } from '../../schema/index.js'

/** A token the buyer got, in one piece for a receipt. */
export type ReceiptToken = {
  /** Name of the line item it belongs to. */
  name: string | undefined
  imageUrl: string | undefined
  chain: string | undefined
  /** `<chain>:<contract>:<tokenId>` */
  locator: string
  contractAddress: string | undefined
  tokenId: string | undefined
  /** The token's name on Solana, where there is no contract. */
  mintHash: string | undefined
  /** Transaction that delivered it. */
  txId: string | undefined
  /** Who got it: a wallet address, or an e-mail address. */
  recipient: string | undefined
}

/** Lists the delivered tokens of line items, in the order they were bought. */
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
      recipient: delivery.recipient?.walletAddress ?? delivery.recipient?.email,
    })),
  )
