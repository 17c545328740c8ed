import { getAddress, isAddress } from 'viem'
import { evmChains, isEvmChainName } from '../../schema/chains.js'
import type { Token, TokenTable } from './rules.js'

/** Whether a currency is a chain's native currency. */
export const isNativeCurrency = (chain: string, currency: string): boolean =>
  isEvmChainName(chain) && evmChains[chain].nativeCurrency === currency.toLowerCase()

const find = (table: TokenTable, chain: string, currency: string): Token | undefined => {
  // Own properties only: both names are untrusted, and `constructor` must be as unknown as any other.
  const tokens = Object.hasOwn(table, chain) ? Object.entries(table[chain] ?? {}) : []
  return tokens.find(([name]) => name.toLowerCase() === currency.toLowerCase())?.[1]
}

const isToken = ({ address, decimals }: Token): boolean =>
  isAddress(address, { strict: false }) && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255

/**
 * Finds the token of a currency on a chain, in the first table that has it.
 *
 * @returns The token; undefined when no table has it, when the first entry is invalid, and for a chain's
 * native currency.
 */
export const findTokenIn = (
  tables: readonly (TokenTable | undefined)[],
  chain: string,
  currency: string,
): Token | undefined => {
  if (isNativeCurrency(chain, currency)) return undefined
  const token = tables.map((table) => find(table ?? {}, chain, currency)).find(Boolean)
  return token && isToken(token) ? { ...token, address: getAddress(token.address) } : undefined
}
