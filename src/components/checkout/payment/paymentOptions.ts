import type { Config } from 'wagmi'
import type { TokenTable } from '../../../chain/index.js'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'

/** One way to pay: a chain by the interface's name, and a currency on it. */
export type PaymentOption = { method: string; currency: string }

/**
 * Lists the currencies to pay with: the native one of each chain and the tokens known on it. Test networks
 * and main networks never mix, so an order on a chain that is neither has no options.
 *
 * @param tables - Tokens that the package and the app know.
 * @param own - The order's current payment option.
 */
export const listPaymentOptions = (
  { chains }: Pick<Config, 'chains'>,
  tables: readonly (TokenTable | undefined)[],
  own?: PaymentOption,
): PaymentOption[] => {
  const chain = own && isEvmChainName(own.method) ? evmChains[own.method] : undefined
  return Object.entries(evmChains)
    .filter(
      ([, { chainId, isTestnet }]) =>
        chains.some(({ id }) => id === chainId) && isTestnet === chain?.isTestnet,
    )
    .flatMap(([method, { nativeCurrency }]) =>
      [nativeCurrency, ...new Set(tables.flatMap((table) => Object.keys(table?.[method] ?? {})))].map(
        (currency) => ({ method, currency }),
      ),
    )
}
