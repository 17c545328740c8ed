import { findTokenCurrency, type HeldToken, listedTokens, viewBalance } from 'kassa/engine'
import type { Balance, BalanceToken } from 'kassa/schema'
import type { ChainPort } from '#base/ports/chain.js'

const readChain = async (
  chain: ChainPort,
  address: string,
  tokens: readonly BalanceToken[],
): Promise<[BalanceToken, HeldToken][]> => {
  const known = tokens.flatMap((token) => {
    const found = findTokenCurrency(chain.wallets.currencies, token)
    return found ? [{ token, ...found }] : []
  })
  if (!known.length) return []
  const names = [...new Set(known.map(({ currency }) => currency))]
  const units = await chain.wallets.getBalances(address, names)
  return known.map(({ token, currency, decimals }) => [
    token,
    { chain: chain.chain, units: units[currency] ?? 0n, decimals },
  ])
}

/**
 * Reads an address's balances of tokens on chains. A token that the deployment knows on none of them is left
 * out.
 *
 * @throws {@link ServiceError} `chain-unavailable` if one of the nodes cannot be reached.
 */
export const readBalances = async (
  chains: readonly ChainPort[],
  address: string,
  tokens: readonly BalanceToken[] = listedTokens,
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
