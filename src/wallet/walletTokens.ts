import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, listWalletTokens, type PageParameters } from '../api/index.js'
import type { WalletTokenList } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { type WalletKey, walletKey } from './keys.js'
import { type Pages, type PagesOptions, type PagesParameter, pagesOptions } from './pagesOptions.js'
import { type HolderIdentifier, type ReadOptions, type ReadParameters, readDefaults } from './readOptions.js'

/** The holder of the tokens, and the page. */
export type WalletTokensQueryParameters<Selected = WalletTokenList> = PageParameters &
  Omit<ReadParameters<WalletTokenList, Selected>, 'client'> & { identifier: HolderIdentifier }

/**
 * Returns the options of the query that lists one page of a wallet's tokens on its chain. For a growing list,
 * use {@link walletTokensInfiniteQueryOptions}.
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

/** All loaded pages of a wallet's tokens. */
export type WalletTokenPages = Pages<WalletTokenList>

/** The holder of the tokens, and the size of a page. */
export type WalletTokensInfiniteQueryParameters<Selected = WalletTokenPages> = Pick<
  PageParameters,
  'perPage'
> & { identifier: HolderIdentifier; query?: PagesParameter<WalletTokenList, Selected> | undefined }

/**
 * Returns the options of the infinite query that lists a wallet's tokens on its chain page by page, for
 * `useInfiniteQuery`. A token that has left keeps its place for a while, so that pages do not shift during
 * reading. A page may therefore be short; there is more as long as `hasNextPage` says so.
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
