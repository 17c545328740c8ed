import type { Config } from 'wagmi'
import type { TokenTable } from '../../chain/index.js'
import { knownTokens } from '../../chain/tokens.js'
import { evmChains, isEvmChainName } from '../../schema/chains.js'

/** One way to pay: a chain by the interface's name, and a currency on it. */
export type PaymentOption = { method: string; currency: string }

/**
 * Lists what can be paid with on chains: the native currency of each, and the tokens known on it. Test networks
 * and main networks never mix.
 *
 * @param tokens - Tokens the app knows, beside the package's own.
 * @param own - How the order is to be paid now.
 */
export const listPaymentOptions = (
  { chains }: Pick<Config, 'chains'>,
  tokens: TokenTable = {},
  own?: PaymentOption,
): PaymentOption[] =>
  Object.keys(evmChains)
    .filter(isEvmChainName)
    .filter(
      (method) =>
        chains.some(({ id }) => id === evmChains[method].chainId) && isSameKind(method, own?.method),
    )
    .flatMap((method) => {
      const currencies = [
        evmChains[method].nativeCurrency,
        ...Object.keys({ ...knownTokens[method], ...tokens[method] }),
      ]
      return currencies.map((currency) => ({ method, currency }))
    })

const isSameKind = (method: keyof typeof evmChains, own: string | undefined): boolean =>
  own === undefined || !isEvmChainName(own) || evmChains[own].isTestnet === evmChains[method].isTestnet
