import { assertIsOn, explainDisabled, readBalanceTokens, splitNames } from 'kassa/engine'
import type { Balance } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet } from '#identity/wallets/findWallet.js'
import { listChainsOf } from '#identity/wallets/kinds.js'
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

  const given = chains === undefined ? undefined : splitNames(chains).map((name) => readChain(deps, name))
  const asked = tokens === undefined ? undefined : checkInput(() => readBalanceTokens(tokens))
  const wallet = await findWallet(deps.db, call.actor.projectId, walletLocator)
  const ports = given ?? listChainsOf(deps, wallet)
  for (const port of ports) checkInput(() => assertIsOn(wallet, port, 'chains'))
  const { address } = wallet
  return readBalances(ports, address, asked)
}
