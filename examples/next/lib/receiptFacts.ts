import type { Order } from 'kassa'

type Item = Order['lineItems'][number]

/** Returns who got the goods: wallet addresses and e-mail addresses, each once. */
export const listRecipients = ({ lineItems }: Order): string[] => [
  ...new Set(
    lineItems.flatMap(({ delivery: { recipient } }) => recipient?.email ?? recipient?.walletAddress ?? []),
  ),
]

/** The tokens of a line item: their numbers, and where they are on their network. */
export type ItemTokens = {
  numbers: string[]
  /** Their contracts, or on Solana the tokens' own addresses, each once. */
  addresses: { of: 'contract' | 'mint'; address: string }[]
}

/** Returns the delivered tokens of a line item. */
export const listTokens = ({ delivery: { tokens = [] } }: Item): ItemTokens => {
  const contracts = new Set(tokens.flatMap(({ contractAddress }) => contractAddress ?? []))
  const mints = new Set(tokens.flatMap(({ mintHash }) => mintHash ?? []))
  return {
    numbers: tokens.flatMap(({ tokenId }) => tokenId ?? []),
    addresses: [
      ...[...contracts].map((address) => ({ of: 'contract' as const, address })),
      ...[...mints].map((address) => ({ of: 'mint' as const, address })),
    ],
  }
}
