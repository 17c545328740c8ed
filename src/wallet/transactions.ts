import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, listTransactions, type PageParameters } from '../api/index.js'
import type { TransactionList } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { type WalletKey, walletKey } from './keys.js'
import { type Pages, type PagesOptions, type PagesParameter, pagesOptions } from './pagesOptions.js'
import { type ReadOptions, type ReadParameters, readDefaults, type WalletLocator } from './readOptions.js'

/** The wallet, and the page of its transactions. */
export type TransactionsQueryParameters<Selected = TransactionList> = PageParameters &
  Omit<ReadParameters<TransactionList, Selected>, 'client'> & { walletLocator: WalletLocator }

/** Returns the options of the query that lists one page of a wallet's transactions. */
export const transactionsQueryOptions = <Selected = TransactionList>(
  client: Client,
  { walletLocator, page, perPage, query }: TransactionsQueryParameters<Selected>,
): ReadOptions<TransactionList, Selected> =>
  queryOptions<TransactionList, AnyKassaError, Selected, WalletKey>({
    ...readDefaults,
    ...query,
    queryKey: walletKey('transactions', client, { walletLocator, page: page ?? 1, perPage: perPage ?? 10 }),
    queryFn: ({ signal }) =>
      askHandler(client, listTransactions(client, { walletLocator, page, perPage, signal })),
  })

/** All loaded pages of a wallet's transactions. */
export type TransactionPages = Pages<TransactionList>

/** The wallet, and the size of a page of its transactions. */
export type TransactionsInfiniteQueryParameters<Selected = TransactionPages> = Pick<
  PageParameters,
  'perPage'
> & { walletLocator: WalletLocator; query?: PagesParameter<TransactionList, Selected> | undefined }

/**
 * Returns the options of the infinite query that lists a wallet's transactions page by page, the newest
 * first.
 */
export const transactionsInfiniteQueryOptions = <Selected = TransactionPages>(
  client: Client,
  { walletLocator, perPage, query }: TransactionsInfiniteQueryParameters<Selected>,
): PagesOptions<TransactionList, Selected> =>
  pagesOptions(walletKey('transactions', client, { walletLocator, perPage: perPage ?? 10 }), {
    query,
    read: (page, signal) =>
      askHandler(client, listTransactions(client, { walletLocator, page, perPage, signal })),
    getLength: ({ transactions }) => transactions.length,
  })
