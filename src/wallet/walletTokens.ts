import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, listWalletTokens, type PageParameters } from '../api/index.js'
import type { WalletTokenList } from '../schema/index.js'
import { type WalletKey, walletKey } from './keys.js'
import type { ReadOptions, ReadParameters } from './readOptions.js'

/** Whose tokens, and which page of them. */
export type WalletTokensQueryParameters<Selected = WalletTokenList> = PageParameters &
  Omit<ReadParameters<WalletTokenList, Selected>, 'client'> & {
    /** `me:<chain>` of whoever is signed in, or `<chain>:<address>` of a wallet of theirs. */
    identifier: string
  }

/**
 * Options of the query that lists what a wallet holds on its chain, a page at a time. With
 * `placeholderData: keepPreviousData` in `query` a page stays until the next is there.
 */
export const walletTokensQueryOptions = <Selected = WalletTokenList>(
  client: Client,
  { identifier, page, perPage, query }: WalletTokensQueryParameters<Selected>,
): ReadOptions<WalletTokenList, Selected> =>
  queryOptions<WalletTokenList, AnyKassaError, Selected, WalletKey>({
    retry: false,
    staleTime: 15_000,
    ...query,
    queryKey: walletKey('wallet-tokens', client, { identifier, page: page ?? 1, perPage: perPage ?? 10 }),
    queryFn: ({ signal }) => listWalletTokens(client, { identifier, page, perPage, signal }),
  })
