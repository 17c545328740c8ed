'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { BalanceList } from '../schema/index.js'
import { type BalancesQueryParameters, balancesQueryOptions } from './balances.js'
import { useWalletClient } from './useWalletClient.js'

/** Parameters of {@link useBalances}. */
export type UseBalancesParameters<Selected = BalanceList> = BalancesQueryParameters<Selected> & {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Result of {@link useBalances}: TanStack Query's own result. */
export type UseBalancesResult<Selected = BalanceList> = UseQueryResult<Selected, AnyKassaError>

/**
 * Gets a wallet's currency balances.
 *
 * @param parameters - `walletLocator`, `tokens`, `chains`, and `query` for TanStack's own options.
 * @returns The query's result, unspread.
 * @units base units, as decimal strings
 * @source answers.md "Wallets and transactions"
 */
export const useBalances = <Selected = BalanceList>({
  client,
  ...parameters
}: UseBalancesParameters<Selected>): UseBalancesResult<Selected> =>
  useQuery(balancesQueryOptions(useWalletClient(client, 'useBalances'), parameters))
