import { type Balance, type BalanceToken, balanceTokens } from 'kassa/schema'
import type { ChainPort } from '../chains/port.js'
import { type Held, viewBalance } from './viewBalance.js'

const readChain = async (
  chain: ChainPort,
  address: string,
  tokens: readonly BalanceToken[],
): Promise<[string, Held][]> => {
  const known = chain.currencies.filter(({ currency }) => tokens.some((token) => token === currency))
  if (!known.length) return []
  const names = known.map(({ currency }) => currency)
  const units = await chain.wallets.getBalances(address, names)
  return known.map(({ currency, decimals }) => [
    currency,
    { chain: chain.chain, units: units[currency] ?? 0n, decimals },
  ])
}

/**
 * Reads what an address holds of tokens on chains. A token that the deployment knows on none of them is left out.
 *
 * @throws {@link ServiceError} `chain-unavailable` where one of the nodes cannot be reached.
 */
export const readBalances = async (
  chains: readonly ChainPort[],
  address: string,
  tokens: readonly BalanceToken[] = balanceTokens,
): Promise<Balance[]> => {
  const held = (await Promise.all(chains.map((chain) => readChain(chain, address, tokens)))).flat()
  const found = new Set(held.map(([token]) => token))
  return tokens
    .filter((token) => found.has(token))
    .map((token) =>
      viewBalance(
        token,
        held.flatMap(([name, one]) => (name === token ? [one] : [])),
      ),
    )
}
