import type { QueryClient } from '@tanstack/react-query'
import { itemPrefix } from './attempt.js'
import { forgetSendings } from './sending.js'

/**
 * Clears this tab's data about transactions that were sent or requested. Call it when the user signs out,
 * before `queryClient.clear()`; it also removes their requests from the tab's `sessionStorage`. The service
 * continues to process the transactions. In a `storage` that a page passed to `useTransaction`, it removes
 * only what is open on the page.
 *
 * @example
 * ```ts
 * import type { QueryClient } from '@tanstack/react-query'
 * import { forgetTransactions } from 'kassa/wallet'
 *
 * export const forgetUser = (queryClient: QueryClient) => {
 *   forgetTransactions(queryClient)
 *   queryClient.clear()
 * }
 * ```
 */
export const forgetTransactions = (queryClient: QueryClient): void => {
  forgetSendings(queryClient)
  try {
    for (const item of Object.keys(sessionStorage))
      if (item.startsWith(itemPrefix)) sessionStorage.removeItem(item)
  } catch {
    // With storage blocked, nothing was stored.
  }
}
