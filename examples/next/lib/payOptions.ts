import type { Network } from './networks'

/** A currency something can be paid in. */
export type PayOption = { currency: string; label: string }

const labels: Readonly<Record<string, string>> = {
  usdc: 'US dollar coin',
  usdxm: 'US dollar test coin',
}

/**
 * Lists what can be paid with on a network: its own currency, then the tokens known there.
 *
 * @param priceCurrency - The currency of the price; it comes first, because paid in it a price is not converted.
 */
export const getPayOptions = (network: Network | undefined, priceCurrency?: string): PayOption[] => {
  if (!network) return []
  const isFirst = (currency: string): number => Number(currency === priceCurrency?.toLowerCase())
  return [network.nativeCurrency, ...Object.keys(network.tokens)]
    .toSorted((one, other) => isFirst(other) - isFirst(one))
    .map((currency) => ({ currency, label: labels[currency] ?? `on ${network.label}` }))
}

/** Lists what an edition can be paid with, on the edition's own network. */
export const getEditionPayOptions = (
  networks: readonly Network[],
  edition: { chain: string; currency: string },
): PayOption[] =>
  getPayOptions(
    networks.find(({ name }) => name === edition.chain),
    edition.currency,
  )
