import type { Address } from 'viem'
import * as z from 'zod/mini'
import { clip } from '../../../engine/clip.js'
import { parseInput } from '../../../engine/parseInput.js'
import type { Balance } from '../../../schema/balance.js'
import { type BalanceToken, balanceTokens } from '../../../schema/balanceTokens.js'
import { listCurrencies } from '../../network.js'
import type { Answer } from '../http.js'
import { badInput } from '../http.js'
import type { TestWorld } from '../testWorld.js'
import { type EnabledChain, readChain } from './readTransactions.js'
import { requireTestWallet } from './wallets.js'

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
  owner: Address,
  chains: readonly EnabledChain[],
  tokens: readonly BalanceToken[] = balanceTokens,
): Balance[] => {
  world.chains.mine()
  return tokens.flatMap((token) => {
    const held = chains.flatMap(({ name, chainId }): Held[] => {
      const known = listCurrencies(name).find(({ currency }) => currency === token)
      if (!known) return []
      const units = world.chains.bank.get(chainId, owner, known.address, known.decimals)
      return [{ chain: name, units, decimals: known.decimals }]
    })
    return held.length ? [viewBalance(token, held)] : []
  })
}

/** Tells what a wallet holds of currencies. */
export const getTestBalances = (world: TestWorld, locator: string, query: URLSearchParams): Answer => {
  const asked = parseInput(Query, Object.fromEntries(query), 'query')
  const chains = (asked.chains === undefined ? world.enabled : split(asked.chains)).map((name) =>
    readChain(world, 'chains', clip(name) || '(empty)'),
  )
  const tokens = asked.tokens === undefined ? undefined : split(asked.tokens).map(readToken)
  const { address } = requireTestWallet(world, locator)
  return { status: 200, body: readBalances(world, address, chains, tokens) }
}
