import * as z from 'zod/mini'
import type { Balance } from '../../schema/balance.js'
import { type BalanceToken, balanceTokens } from '../../schema/balanceTokens.js'
import { toBaseUnits } from '../../schema/baseUnits.js'
import type { FundBody } from '../../schema/fundInput.js'
import { clip } from '../clip.js'
import { invalid } from '../invalidInput.js'

const names = (example: string) =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(1, `expected names separated by commas, such as ${example}`),
        z.maxLength(2000, 'expected 2000 characters or fewer'),
      ),
  )

/** The query of the requested balances. */
export const BalanceQuery = z.object({
  tokens: names('eth,usdc'),
  chains: names('base-sepolia'),
})

/** Splits names separated by commas, with or without spaces. */
export const splitNames = (text: string): string[] => [...new Set(text.split(',').map((name) => name.trim()))]

/**
 * Reads the names of the requested tokens.
 *
 * @throws {@link InvalidInput} naming the token that is unknown.
 */
export const readBalanceTokens = (text: string): BalanceToken[] =>
  splitNames(text).map((name) => {
    const token = balanceTokens.find((known) => known === name)
    if (token) return token
    throw invalid('tokens', `no token is called ${clip(name) || '(empty)'}`)
  })

/** Polygon renamed its coin. Callers that ask for it by the old name get an answer under that name. */
const renamed: Readonly<Record<string, string>> = { matic: 'pol' }

/** Every token but the old names, which would list a coin twice. */
export const listedTokens = balanceTokens.filter((token) => renamed[token] === undefined)

type Currency = { currency: string; decimals: number; address?: string | undefined }

/** Finds the currency of a chain that a token means. */
export const findTokenCurrency = <Found extends Currency>(
  currencies: readonly Found[],
  token: BalanceToken,
): Found | undefined =>
  currencies.find(({ currency }) => currency === token) ??
  currencies.find(({ currency, address }) => !address && currency === renamed[token])

/** An address's balance of a token on one chain, in base units of the token there. */
export type HeldToken = { chain: string; units: bigint; decimals: number }

/**
 * Converts balances of a token to their form in the interface. If the token has different decimals on the
 * chains, all amounts use the finest unit, so that they add up.
 */
export const viewBalance = (token: BalanceToken, held: readonly HeldToken[]): Balance => {
  const decimals = Math.max(0, ...held.map((one) => one.decimals))
  const amounts = held.map((one) => ({
    chain: one.chain,
    units: one.units * 10n ** BigInt(decimals - one.decimals),
  }))
  const total = amounts.reduce((sum, { units }) => sum + units, 0n)
  const balances = Object.fromEntries([
    ...amounts.map(({ chain, units }) => [chain, String(units)]),
    ['total', String(total)],
  ])
  return { token, decimals, balances }
}

/**
 * Reads what a wallet is to be funded with.
 *
 * @returns The currency, and how many of its base units.
 * @throws {@link InvalidInput} naming the field.
 */
export const readFunding = <Found extends Currency>(
  { token, amount }: Pick<FundBody, 'token' | 'amount'>,
  chain: string,
  currencies: readonly Found[],
): { currency: Found; units: bigint } => {
  const known = currencies.find(({ currency }) => currency === token)
  if (!known) throw invalid('token', `${token} is not known on ${chain} on this deployment`)
  const units = toBaseUnits(String(amount), known.decimals)
  if (units === undefined) throw invalid('amount', `${token} has ${known.decimals} decimals on ${chain}`)
  return { currency: known, units }
}
