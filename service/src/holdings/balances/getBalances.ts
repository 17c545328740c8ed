import { clip, explainDisabled } from 'kassa/engine'
import { type Balance, type BalanceToken, members } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { assertIsOn, listChainsOf } from '#identity/wallets/kinds.js'
import { readBalances } from './readBalances.js'

/**
 * The requested balances: names separated by commas, with or without spaces. Absent means all that the
 * deployment knows.
 */
export type GetBalancesInput = {
  walletLocator: string
  tokens?: string | undefined
  chains?: string | undefined
}

const split = (text: string): string[] => [...new Set(text.split(',').map((name) => name.trim()))]

const readToken = (text: string): BalanceToken => {
  const token = members.balanceTokens.find((known) => known === text)
  if (token) return token
  throw new ServiceError('input-invalid', `tokens: no token is called ${clip(text) || '(empty)'}`)
}

const readChain = (deps: Deps, text: string): ChainPort => {
  const chain = deps.chains.get(text)
  if (chain) return chain
  throw new ServiceError('input-invalid', `chains: ${explainDisabled(text, deps.chains.enabled)}`)
}

/**
 * Gets a wallet's current balances of currencies on chain.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `chain-unavailable`.
 * @source answers.md "Wallets and transactions"
 */
export const getBalances = async (
  deps: Deps,
  call: Call,
  { walletLocator, tokens, chains }: GetBalancesInput,
): Promise<Balance[]> => {
  requireServerScope(call.actor, 'wallets:balance.read')

  const given = chains === undefined ? undefined : split(chains).map((name) => readChain(deps, name))
  const asked = tokens === undefined ? undefined : split(tokens).map(readToken)
  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  const ports = given ?? listChainsOf(deps, wallet)
  for (const port of ports) assertIsOn(wallet, port, 'chains')
  const { address } = wallet
  return readBalances(ports, address, asked)
}
