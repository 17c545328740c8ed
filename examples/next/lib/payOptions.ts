import type { Network } from './networks'
import type { Edition } from './shop'

/** A currency an edition can be paid in, on the edition's own chain. */
export type PayOption = { currency: string; label: string }

const labels: Readonly<Record<string, string>> = {
  usdc: 'US dollar coin',
  usdxm: 'US dollar test coin',
}

/** Lists what an edition can be paid in: its chain's own currency first, then the tokens known there. */
export const getPayOptions = (
  shop: { networks: readonly Network[] },
  edition: Pick<Edition, 'chain'>,
): PayOption[] => {
  const network = shop.networks.find(({ name }) => name === edition.chain)
  if (!network) return []
  const currencies = [network.nativeCurrency, ...Object.keys(network.tokens)]
  return [...new Set(currencies)].map((currency) => ({
    currency,
    label:
      currency === network.nativeCurrency
        ? `on ${network.label}`
        : (labels[currency] ?? `on ${network.label}`),
  }))
}
