import { knownTokens } from 'kassa/chain'
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

/** The test token that a local chain has only where the deployment takes it. */
const plainToken = 'usdt'

/**
 * Returns the test tokens of a chain as currencies. USDC is at its own address, where it has one, because other software
 * expects it there.
 *
 * @param taken - The currencies that the deployment takes, if that is configured.
 */
export const getTestTokens = (
  chain: string,
  { testTokens }: Pick<ReturnType<typeof getDeployments>, 'testTokens'>,
  taken: readonly string[] | undefined,
): readonly ChainCurrency[] =>
  testTokens
    .filter(({ name }) => name !== plainToken || taken?.includes(name))
    .map(({ name, address }) => {
      const own = name === 'usdc' ? knownTokens[chain]?.usdc?.address : undefined
      return { currency: name, address: own ?? address, decimals: 6 }
    })

/** Lists the contracts of a deployment from its configuration alone, without asking a chain. */
export const listContracts = (
  config: Pick<Config, 'operatorKey' | 'chains' | 'currencies'>,
): ListedContracts => {
  const { address: operator } = privateKeyToAccount(config.operatorKey)
  const deployments = getDeployments(operator, true)
  const { router, depositFactory } = deployments
  const tokens: ListedContracts['tokens'] = {}
  for (const [chain, settings] of Object.entries(config.chains)) {
    if (!isEvmChainName(chain)) continue
    const chosen = chooseTokens(settings)
    const known = chosen === 'test-tokens' ? getTestTokens(chain, deployments, config.currencies) : chosen
    for (const { currency, address, decimals } of known) {
      if (address !== undefined) tokens[chain] = { ...tokens[chain], [currency]: { address, decimals } }
    }
  }
  return { contracts: { router: router.address, depositFactory: depositFactory.address }, tokens }
}
