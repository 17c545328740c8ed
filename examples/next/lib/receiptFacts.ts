import type { Order } from 'kassa'

type Item = Order['lineItems'][number]

/**
 * Formats the moment of the payment, or of the price if the service does not tell it.
 *
 * @param timeZone - The time zone to show; that of this machine by default.
 * @returns What the service wrote, if it is no timestamp. `undefined` for an order without a price.
 */
export const formatBoughtAt = (
  { payment, quote }: Order,
  locale: string,
  timeZone?: string,
): string | undefined => {
  const boughtAt = payment.received?.paidAt ?? quote.quotedAt
  const timeMs = Date.parse(boughtAt ?? '')
  if (Number.isNaN(timeMs)) return boughtAt
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(timeMs)
}

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
