import { type Address, getAddress } from 'viem'
import { findToken } from '../chain/evm/findToken.js'
import type { PaymentContracts, PaymentRules, Token } from '../chain/evm/rules.js'
import { type EvmChainName, evmChains, isEvmChainName } from '../schema/chains.js'
import { solanaCurrencies } from './solana/network.js'

/** The name of a chain that the test service has. */
export type TestChainName = EvmChainName | 'solana'

/** The test service's payment contracts. */
export const contracts: PaymentContracts = {
  router: '0x52908400098527886E0F7030069857D2E4169EE7',
  depositFactory: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
}

const usdxm: Token = { address: getAddress('0x4c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f'), decimals: 6 }

/** The payment rules of the test service for the provider, the same on every chain. */
export const rules: Required<Pick<PaymentRules, 'contracts'>> & {
  tokens: NonNullable<PaymentRules['tokens']>
} = {
  contracts,
  tokens: Object.fromEntries(Object.keys(evmChains).map((chain) => [chain, { usdxm }])),
}

/** A currency on one of the test chains; the native one has no address. */
export type TestCurrency = { currency: string; decimals: number; address: Address | undefined }

/** Every currency of a chain, the native one first. */
export const listCurrencies = (chain: EvmChainName): TestCurrency[] => [
  { currency: evmChains[chain].nativeCurrency, decimals: 18, address: undefined },
  ...['usdc', 'usdxm'].flatMap((currency) => {
    const token = findToken(rules, chain, currency)
    return token ? [{ currency, ...token }] : []
  }),
]

/** A currency on a chain of any family; the native one has no address. */
type ChainCurrency = { currency: string; decimals: number; address: string | undefined }

/** Every currency of a chain of any family, the native one first. */
export const listChainCurrencies = (chain: TestChainName): readonly ChainCurrency[] =>
  chain === 'solana'
    ? solanaCurrencies.map(({ mint, ...currency }) => ({ ...currency, address: mint }))
    : listCurrencies(chain)

/** Returns the name of a chain by its id. */
export const nameChain = (chainId: number): EvmChainName | undefined =>
  Object.keys(evmChains)
    .filter(isEvmChainName)
    .find((name) => evmChains[name].chainId === chainId)

/** Returns the id of an EVM chain. */
export const getChainId = (chain: string): number => {
  if (isEvmChainName(chain)) return evmChains[chain].chainId
  throw new Error(`${chain} is not an EVM chain`)
}

/** Finds the currency of a payment. */
export const findCurrency = ({
  chain,
  currency,
}: {
  chain: string
  currency: string
}): TestCurrency | undefined =>
  isEvmChainName(chain) ? listCurrencies(chain).find((one) => one.currency === currency) : undefined

/** The value of one whole unit of each currency, as in the service's sandbox. @units US dollars */
export const testRates: Readonly<Record<string, string>> = {
  usd: '1',
  avax: '30',
  bnb: '600',
  chz: '0.07',
  eth: '3000',
  pol: '0.5',
  sfuel: '0.000001',
  sol: '150',
  usdc: '1',
  usdxm: '1',
  xai: '0.1',
}
