import { isEvmChainName } from 'kassa/schema'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainConfig, Config } from '#base/config/config.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { getDeployments } from '../connection/addresses.js'

/**
 * Where a deployment takes payments: all that an app needs to verify payments independently of the service.
 */
export type ListedContracts = {
  /** The same on every chain. */
  contracts: { router: Address; depositFactory: Address }
  /** By chain, then by currency. */
  tokens: Record<string, Record<string, { address: string; decimals: number }>>
}

/** Returns the tokens of a chain: the configured ones, or test tokens on a local chain. */
export const chooseTokens = ({ rpcUrl, tokens }: ChainConfig): readonly ChainCurrency[] | 'test-tokens' =>
  rpcUrl === undefined ? 'test-tokens' : tokens

/** Returns the deployment's test tokens as currencies. */
export const getTestTokens = ({ testTokens }: ReturnType<typeof getDeployments>): readonly ChainCurrency[] =>
  testTokens.map(({ name, address }) => ({ currency: name, address, decimals: 6 }))

/** Lists the contracts of a deployment from its configuration alone, without asking a chain. */
export const listContracts = (config: Pick<Config, 'operatorKey' | 'chains'>): ListedContracts => {
  const { address: operator } = privateKeyToAccount(config.operatorKey)
  const deployments = getDeployments(operator, true)
  const { router, depositFactory } = deployments
  const testTokens = getTestTokens(deployments)
  const tokens: ListedContracts['tokens'] = {}
  for (const [chain, settings] of Object.entries(config.chains)) {
    if (!isEvmChainName(chain)) continue
    const chosen = chooseTokens(settings)
    for (const { currency, address, decimals } of chosen === 'test-tokens' ? testTokens : chosen) {
      if (address !== undefined) tokens[chain] = { ...tokens[chain], [currency]: { address, decimals } }
    }
  }
  return { contracts: { router: router.address, depositFactory: depositFactory.address }, tokens }
}
