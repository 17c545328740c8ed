import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryFunctionContext,
  type UndefinedInitialDataInfiniteOptions,
} from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'
import type { WalletKey } from './keys.js'
import { readDefaults } from './readOptions.js'

/** All pages of a list that were read, as TanStack Query keeps them. */
export type Pages<Page> = InfiniteData<Page, number>

/** TanStack's own options of a list, less what the list itself decides. */
export type PagesParameter<Page, Selected> = Partial<
  Omit<
    UndefinedInitialDataInfiniteOptions<Page, AnyKassaError, Selected, WalletKey, number>,
    'queryKey' | 'queryFn' | 'initialPageParam' | 'getNextPageParam'
  >
>

/** What the options factories of lists that grow return. */
export type PagesOptions<Page, Selected = Pages<Page>> = ReturnType<
  typeof infiniteQueryOptions<Page, AnyKassaError, Selected, WalletKey, number>
>

/** Options of a list that is read page after page. It ends with a page that is empty: a short one may have gaps. */
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
