import type { Network } from './networks'

/** A currency a buyer can pay in. */
export type PayOption = { currency: string; label: string }

const labels: Readonly<Record<string, string>> = {
  usdc: 'US dollar coin',
  usdxm: 'US dollar test coin',
}

/**
 * Lists the currencies a network accepts: its native currency, then the tokens known on it.
 *
 * @param priceCurrency - The currency of the price. It comes first, because a payment in it needs no
 * conversion.
 */
export const getPayOptions = (network: Network | undefined, priceCurrency?: string): PayOption[] => {
  if (!network) return []
  const isFirst = (currency: string): number => Number(currency === priceCurrency?.toLowerCase())
  return [network.nativeCurrency, ...Object.keys(network.tokens)]
    .toSorted((one, other) => isFirst(other) - isFirst(one))
    .map((currency) => ({ currency, label: labels[currency] ?? `on ${network.label}` }))
}

/** Lists the currencies an edition can be paid in, on the edition's own network. */
export const getEditionPayOptions = (
  networks: readonly Network[],
  edition: { chain: string; currency: string },
): PayOption[] =>
  getPayOptions(
    networks.find(({ name }) => name === edition.chain),
    edition.currency,
  )
