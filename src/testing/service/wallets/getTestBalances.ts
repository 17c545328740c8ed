import * as z from 'zod/mini'
import { clip } from '../../../engine/clip.js'
import { parseInput } from '../../../engine/parseInput.js'
import type { Balance } from '../../../schema/balance.js'
import { type BalanceToken, balanceTokens } from '../../../schema/balanceTokens.js'
import type { TestChainName } from '../../network.js'
import type { Answer } from '../http.js'
import { badInput } from '../http.js'
import { listAccounts } from '../listAccounts.js'
import type { TestUserWallet, TestWorld } from '../testWorld.js'
import { readChain } from './readTransactions.js'
import { isOn, requireTestWallet } from './wallets.js'

const names = (example: string) =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(1, `expected names separated by commas, such as ${example}`),
        z.maxLength(2000, 'expected 2000 characters or fewer'),
      ),
  )

const Query = z.object({ tokens: names('eth,usdc'), chains: names('base-sepolia') })

const split = (text: string): string[] => [...new Set(text.split(',').map((name) => name.trim()))]

const readToken = (text: string): BalanceToken => {
  const token = balanceTokens.find((known) => known === text)
  if (token) return token
  throw badInput(`tokens: no token is called ${clip(text) || '(empty)'}`)
}

/** What is held of a token on one chain, in base units of the token there. */
type Held = { chain: string; units: bigint; decimals: number }

/** Returns a token's balance in the finest of its units, if its decimals differ between chains. */
const viewBalance = (token: BalanceToken, held: readonly Held[]): Balance => {
  const decimals = Math.max(0, ...held.map((one) => one.decimals))
  const amounts = held.map(({ chain, units, decimals: own }): [string, bigint] => [
    chain,
    units * 10n ** BigInt(decimals - own),
  ])
  const total = amounts.reduce((sum, [, units]) => sum + units, 0n)
  const written = [...amounts, ['total', total] as const].map(([name, units]) => [name, String(units)])
  return { token, decimals, balances: Object.fromEntries(written) }
}

/** What an address holds of tokens on chains now. A token that none of them knows is left out. */
export const readBalances = (
  world: TestWorld,
  owner: string,
  chains: readonly TestChainName[],
  tokens: readonly BalanceToken[] = balanceTokens,
): Balance[] => {
  world.chains.mine()
  world.solana.mine()
  return tokens.flatMap((token) => {
    const held = chains.flatMap((chain): Held[] => {
      const known = listAccounts(world, chain).find(({ currency }) => currency === token)
      return known ? [{ chain, units: known.get(owner), decimals: known.decimals }] : []
    })
    return held.length ? [viewBalance(token, held)] : []
  })
}

/**
 * Asserts that a wallet exists on a chain.
 *
 * @param field - The field that names the chain.
 * @throws {@link HttpError} naming the field.
 */
export const assertIsOn = ({ type }: TestUserWallet, chain: string, field: string): void => {
  if (isOn(type, chain)) return
  throw badInput(`${field}: the address of a wallet of type ${type} is not on ${chain}`)
}

/** Tells what a wallet holds of currencies. */
export const getTestBalances = (world: TestWorld, locator: string, query: URLSearchParams): Answer => {
  const asked = parseInput(Query, Object.fromEntries(query), 'query')
  const given =
    asked.chains === undefined
      ? undefined
      : split(asked.chains).map((name) => readChain(world, 'chains', name))
  const tokens = asked.tokens === undefined ? undefined : split(asked.tokens).map(readToken)
  const wallet = requireTestWallet(world, locator)
  const chains = given ?? world.enabled.filter((chain) => isOn(wallet.type, chain))
  for (const chain of chains) assertIsOn(wallet, chain, 'chains')
  return { status: 200, body: readBalances(world, wallet.address, chains, tokens) }
}
