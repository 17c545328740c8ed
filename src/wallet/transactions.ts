import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, listTransactions, type PageParameters } from '../api/index.js'
import type { TransactionList } from '../schema/index.js'
import { type WalletKey, walletKey } from './keys.js'
import type { ReadOptions, ReadParameters } from './readOptions.js'

/** Whose transactions, and which page of them. */
export type TransactionsQueryParameters<Selected = TransactionList> = PageParameters &
  Omit<ReadParameters<TransactionList, Selected>, 'client'> & {
    /** `me:<walletType>` of whoever is signed in, through the shop's own handler. */
    walletLocator: string
  }

/** Options of the query that lists a wallet's transactions, a page at a time. */
export const transactionsQueryOptions = <Selected = TransactionList>(
  client: Client,
  { walletLocator, page, perPage, query }: TransactionsQueryParameters<Selected>,
): ReadOptions<TransactionList, Selected> =>
  queryOptions<TransactionList, AnyKassaError, Selected, WalletKey>({
    retry: false,
    staleTime: 15_000,
    ...query,
    queryKey: walletKey('transactions', client, { walletLocator, page: page ?? 1, perPage: perPage ?? 10 }),
    queryFn: ({ signal }) => listTransactions(client, { walletLocator, page, perPage, signal }),
  })
