import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryFunctionContext,
  type UndefinedInitialDataInfiniteOptions,
} from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'
import type { WalletKey } from './keys.js'
import { readDefaults } from './readOptions.js'

/** All loaded pages of a list, as TanStack Query stores them. */
export type Pages<Page> = InfiniteData<Page, number>

/** TanStack's own options of a list without those that the list sets. */
export type PagesParameter<Page, Selected> = Partial<
  Omit<
    UndefinedInitialDataInfiniteOptions<Page, AnyKassaError, Selected, WalletKey, number>,
    'queryKey' | 'queryFn' | 'initialPageParam' | 'getNextPageParam'
  >
>

/** The result of the options factories of growing lists. */
export type PagesOptions<Page, Selected = Pages<Page>> = ReturnType<
  typeof infiniteQueryOptions<Page, AnyKassaError, Selected, WalletKey, number>
>

/**
 * Returns the options of a list that is read page by page. It ends with an empty page, because a short page
 * may have gaps.
 */
export const pagesOptions = <Page, Selected>(
  queryKey: WalletKey,
  {
    query,
    read,
    getLength,
  }: {
    query: PagesParameter<Page, Selected> | undefined
    read(page: number, signal: AbortSignal): Promise<Page>
    getLength(page: Page): number
  },
): PagesOptions<Page, Selected> =>
  infiniteQueryOptions<Page, AnyKassaError, Selected, WalletKey, number>({
    ...readDefaults,
    ...query,
    queryKey,
    queryFn: ({ pageParam, signal }: QueryFunctionContext<WalletKey, number>) => read(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (getLength(last) > 0 ? page + 1 : undefined),
  })
