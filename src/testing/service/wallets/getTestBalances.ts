import { parseInput } from '../../../engine/parseInput.js'
import {
  BalanceQuery,
  findTokenCurrency,
  type HeldToken,
  listedTokens,
  readBalanceTokens,
  splitNames,
  viewBalance,
} from '../../../engine/wallet/balances.js'
import { assertIsOn } from '../../../engine/wallet/walletFamily.js'
import type { Balance } from '../../../schema/balance.js'
import type { BalanceToken } from '../../../schema/balanceTokens.js'
import { chainFamilyOf } from '../../../schema/chains.js'
import type { TestChainName } from '../../network.js'
import type { Answer } from '../http.js'
import { listAccounts } from '../listAccounts.js'
import type { TestWorld } from '../testWorld.js'
import { readChain } from './readTransactions.js'
import { isOn, requireTestWallet } from './wallets.js'

type BalancesAsked = { chains: readonly TestChainName[]; tokens?: readonly BalanceToken[] | undefined }

/** What an address holds of tokens on chains now. A token that none of them knows is left out. */
export const readBalances = (
  world: TestWorld,
  owner: string,
  { chains, tokens = listedTokens }: BalancesAsked,
): Balance[] => {
  world.chains.mine()
  world.solana.mine()
  return tokens.flatMap((token) => {
    const held = chains.flatMap((chain): HeldToken[] => {
      const known = findTokenCurrency(listAccounts(world, chain), token)
      return known ? [{ chain, units: known.get(owner), decimals: known.decimals }] : []
    })
    return held.length ? [viewBalance(token, held)] : []
  })
}

/** Tells what a wallet holds of currencies. */
export const getTestBalances = (world: TestWorld, locator: string, query: URLSearchParams): Answer => {
  const asked = parseInput(BalanceQuery, Object.fromEntries(query), 'query')
  const given =
    asked.chains === undefined
      ? undefined
      : splitNames(asked.chains).map((name) => readChain(world, 'chains', name))
  const tokens = asked.tokens === undefined ? undefined : readBalanceTokens(asked.tokens)
  const wallet = requireTestWallet(world, locator)
  const chains = given ?? world.enabled.filter((chain) => isOn(wallet.type, chain))
  for (const chain of chains) assertIsOn(wallet, { chain, family: chainFamilyOf(chain) }, 'chains')
  return { status: 200, body: readBalances(world, wallet.address, { chains, tokens }) }
}
