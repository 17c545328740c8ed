import type { QueryClient } from '@tanstack/react-query'
import { itemPrefix } from './attempt.js'
import { forgetSendings } from './sending.js'

/**
 * Forgets what this tab knows of transactions that were sent, or were to be. Call it when the user signs out, before
 * `queryClient.clear()`: it also takes what they asked for out of the tab's `sessionStorage`. Transactions go on at the
 * service. A `storage` that a page gave to `useTransaction` itself is emptied of what is open on the page alone.
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
    // Where storage is blocked, nothing was kept.
  }
}
