import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type BalancesQuery, type Client, getBalances } from '../api/index.js'
import type { BalanceList } from '../schema/index.js'
import { type WalletKey, walletKey } from './keys.js'
import type { ReadOptions, ReadParameters } from './readOptions.js'

/** Whose balances, and of what. */
export type BalancesQueryParameters<Selected = BalanceList> = BalancesQuery &
  Omit<ReadParameters<BalanceList, Selected>, 'client'> & {
    /** `me:<walletType>` of whoever is signed in, through the shop's own handler. */
    walletLocator: string
  }

/** Options of the query that gets what a wallet holds of currencies. */
export const balancesQueryOptions = <Selected = BalanceList>(
  client: Client,
  { walletLocator, tokens, chains, query }: BalancesQueryParameters<Selected>,
): ReadOptions<BalanceList, Selected> =>
  queryOptions<BalanceList, AnyKassaError, Selected, WalletKey>({
    retry: false,
    staleTime: 15_000,
    ...query,
    queryKey: walletKey('balances', client, { walletLocator, tokens, chains }),
    queryFn: ({ signal }) => getBalances(client, { walletLocator, tokens, chains, signal }),
  })
