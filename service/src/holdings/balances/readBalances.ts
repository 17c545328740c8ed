import { type Balance, type BalanceToken, members } from 'kassa/schema'
import type { ChainPort } from '#base/ports/chain.js'
import { type Held, viewBalance } from './viewBalance.js'

/** Polygon renamed its coin. Callers that ask for it by the old name get an answer under that name. */
const renamed: Readonly<Record<string, string>> = { matic: 'pol' }

const findCurrency = ({ currencies }: ChainPort['wallets'], token: BalanceToken) =>
  currencies.find(({ currency }) => currency === token) ??
  currencies.find(({ currency, address }) => !address && currency === renamed[token])

const readChain = async (
  chain: ChainPort,
  address: string,
  tokens: readonly BalanceToken[],
): Promise<[BalanceToken, Held][]> => {
  const known = tokens.flatMap((token) => {
    const found = findCurrency(chain.wallets, token)
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

/** Every token but the old names, which would list a coin twice. */
const listedTokens = members.balanceTokens.filter((token) => renamed[token] === undefined)

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
