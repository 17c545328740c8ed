import type { TokenTable } from '../../../chain/index.js'
import type { SolanaPayments } from '../../../pay/solanaPayments.js'
import {
  type EvmChain,
  evmChains,
  isEvmChainName,
  ofFamily,
  type PaymentMethod,
} from '../../../schema/chains.js'
import type { Known } from '../../../schema/open.js'

/** One way to pay: a chain by the interface's name, and a currency on it. */
export type PaymentOption = { method: Known<PaymentMethod>; currency: string }

/**
 * Lists the currencies to pay with: the native one of each chain and the tokens known on it. Test networks
 * and main networks never mix, so an order on a chain that is neither has no options.
 *
 * @param config - The EVM chains that the app is configured for.
 * @param tables - Tokens that the package and the app know on EVM chains.
 * @param solana - How the app pays on Solana, if it does.
 * @param own - The order's current payment option.
 */
export const listPaymentOptions = (
  { chains }: { chains: readonly { id: number }[] },
  tables: readonly (TokenTable | undefined)[],
  solana: Pick<SolanaPayments, 'isTestnet' | 'currencies'> | undefined,
  own?: PaymentOption,
): PaymentOption[] => {
  const chain = own && isEvmChainName(own.method) ? evmChains[own.method] : undefined
  const isTest = ofFamily({ evm: chain?.isTestnet, solana: solana?.isTestnet }, own?.method)
  // USDXM stands in for USDC on test networks that lack it.
  const isExtra = (currency: string, all: readonly string[]) => currency === 'usdxm' && all.includes('usdc')
  const toOptions = (method: PaymentMethod, currencies: readonly string[]) =>
    [...new Set(currencies)]
      .filter((currency) => !isExtra(currency, currencies))
      .map((currency) => ({ method, currency }))
  const onEvm = (Object.entries(evmChains) as [keyof typeof evmChains, EvmChain][])
    .filter(([, { chainId, isTestnet }]) => chains.some(({ id }) => id === chainId) && isTestnet === isTest)
    .flatMap(([method, { nativeCurrency }]) =>
      toOptions(method, [nativeCurrency, ...tables.flatMap((table) => Object.keys(table?.[method] ?? {}))]),
    )
  const onSolana = solana && solana.isTestnet === isTest ? toOptions('solana', solana.currencies) : []
  return [...onEvm, ...onSolana]
}
