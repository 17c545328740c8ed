import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type BalancesQuery, type Client, getBalances } from '../api/index.js'
import type { BalanceList } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { type WalletKey, walletKey } from './keys.js'
import { type ReadOptions, type ReadParameters, readDefaults, type WalletLocator } from './readOptions.js'

/** The wallet, and the balances to get. */
export type BalancesQueryParameters<Selected = BalanceList> = BalancesQuery &
  Omit<ReadParameters<BalanceList, Selected>, 'client'> & { walletLocator: WalletLocator }

/** Returns the options of the query that gets a wallet's currency balances. */
export const balancesQueryOptions = <Selected = BalanceList>(
  client: Client,
  { walletLocator, tokens, chains, query }: BalancesQueryParameters<Selected>,
): ReadOptions<BalanceList, Selected> =>
  queryOptions<BalanceList, AnyKassaError, Selected, WalletKey>({
    ...readDefaults,
    ...query,
    queryKey: walletKey('balances', client, { walletLocator, tokens, chains }),
    queryFn: ({ signal }) =>
      askHandler(client, getBalances(client, { walletLocator, tokens, chains, signal })),
  })
