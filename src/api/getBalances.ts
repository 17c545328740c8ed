import type { BalanceList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readBalanceList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { WalletParameters } from './getWallet.js'
import { requestBody } from './request.js'

/** The tokens and chains whose balances to get. Some services require both. */
export type BalancesQuery = {
  /** Such as `['eth', 'usdc']`. By default all that the service knows. */
  tokens?: readonly string[] | undefined
  /** Such as `['base-sepolia']`. By default all that the service has enabled. */
  chains?: readonly string[] | undefined
}

/** Parameters of {@link getBalances}. */
export type GetBalancesParameters = WalletParameters & BalancesQuery

/**
 * Gets a wallet's currency balances.
 *
 * @units base units, as decimal strings; `decimals` says how many make a whole one
 * @throws {@link KassaError} `api.not-found` for the wallet, `api.bad-request` for a token or chain that is
 * not served, …
 * @source answers.md "Wallets and transactions"
 */
export const getBalances = async (
  client: Client,
  { walletLocator, tokens, chains, ...call }: GetBalancesParameters,
): Promise<BalanceList> =>
  requestBody(client, {
    operation: operations.getBalances,
    params: { walletLocator },
    query: { tokens, chains },
    answer: readBalanceList,
    ...call,
  })
