import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, listWalletTokens, type PageParameters } from '../api/index.js'
import type { WalletTokenList } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { type WalletKey, walletKey } from './keys.js'
import { type Pages, type PagesOptions, type PagesParameter, pagesOptions } from './pagesOptions.js'
import { type HolderIdentifier, type ReadOptions, type ReadParameters, readDefaults } from './readOptions.js'

/** Whose tokens, and which page of them. */
export type WalletTokensQueryParameters<Selected = WalletTokenList> = PageParameters &
  Omit<ReadParameters<WalletTokenList, Selected>, 'client'> & { identifier: HolderIdentifier }

/**
 * Options of the query that lists what a wallet holds on its chain, one page. For a list that grows there is
 * {@link walletTokensInfiniteQueryOptions}.
 */
export const walletTokensQueryOptions = <Selected = WalletTokenList>(
  client: Client,
  { identifier, page, perPage, query }: WalletTokensQueryParameters<Selected>,
): ReadOptions<WalletTokenList, Selected> =>
  queryOptions<WalletTokenList, AnyKassaError, Selected, WalletKey>({
    ...readDefaults,
    ...query,
    queryKey: walletKey('wallet-tokens', client, { identifier, page: page ?? 1, perPage: perPage ?? 10 }),
    queryFn: ({ signal }) =>
      askHandler(client, listWalletTokens(client, { identifier, page, perPage, signal })),
  })

/** All pages of a wallet's tokens that were read. */
export type WalletTokenPages = Pages<WalletTokenList>

/** Whose tokens, and how many of them at a time. */
export type WalletTokensInfiniteQueryParameters<Selected = WalletTokenPages> = Pick<
  PageParameters,
  'perPage'
> & { identifier: HolderIdentifier; query?: PagesParameter<WalletTokenList, Selected> | undefined }

/**
 * Options of the infinite query that lists what a wallet holds on its chain, page after page: for `useInfiniteQuery`.
 * A token that has left holds its place for a while, so that no page moves while the next is read: a page may be
 * short, and there is more as long as `hasNextPage` says so.
 */
export const walletTokensInfiniteQueryOptions = <Selected = WalletTokenPages>(
  client: Client,
  { identifier, perPage, query }: WalletTokensInfiniteQueryParameters<Selected>,
): PagesOptions<WalletTokenList, Selected> =>
  pagesOptions(walletKey('wallet-tokens', client, { identifier, perPage: perPage ?? 10 }), {
    query,
    read: (page, signal) =>
      askHandler(client, listWalletTokens(client, { identifier, page, perPage, signal })),
    getLength: (page) => page.length,
  })
