'use client'

import { useQueries } from '@tanstack/react-query'
import type { WalletToken } from 'kassa/schema'
import { useWalletClient, walletTokensQueryOptions } from 'kassa/wallet'
import { useState } from 'react'

const perPage = 24
/** How often a page that somebody looks at asks what has come or gone. */
const everyMs = 30_000

/** What a wallet holds, on all chains of the shop. */
export type Holdings = {
  tokens: readonly WalletToken[]
  /** Whether a chain has not answered yet. */
  isPending: boolean
  /** The chains that do not answer; what was seen of them before is in `tokens`. */
  away: readonly string[]
  /** Asks for more; undefined when all is there. */
  showMore: (() => void) | undefined
  refetch: () => void
}

/** Asks every chain what a wallet holds. */
export const useHoldings = (address: string, chains: readonly string[]): Holdings => {
  const client = useWalletClient()
  const [pages, setPages] = useState(1)
  // One page more than is shown: a token that has left holds its place for a while, so that a page that is short says
  // nothing of the next. The list ends with an empty one.
  const asked = chains.flatMap((chain) =>
    Array.from({ length: pages + 1 }, (_, index) => ({ chain, page: index + 1 })),
  )
  return useQueries({
    queries: asked.map(({ chain, page }) => ({
      ...walletTokensQueryOptions(client, { identifier: `${chain}:${address}`, page, perPage }),
      // Who looks at the page is told at once, and what did not answer is asked again in any case.
      retry: false,
      // Of what comes after it is enough to know whether there is any.
      refetchInterval: page <= pages && everyMs,
    })),
    combine: (results) => {
      const isShown = (_: unknown, index: number): boolean => (asked[index]?.page ?? 0) <= pages
      const shown = results.filter(isShown)
      // A token that moves from one page to the next while they are read is still one token.
      const tokens = new Map(shown.flatMap(({ data }) => data ?? []).map((token) => [token.locator, token]))
      const isAway = (chain: string): boolean =>
        results.some(({ isError }, index) => isError && asked[index]?.chain === chain)
      const isMore = results.some((result, index) => !isShown(result, index) && result.data?.length)
      return {
        tokens: [...tokens.values()],
        isPending: shown.some(({ isPending }) => isPending),
        away: chains.filter(isAway),
        showMore: isMore ? () => setPages(pages + 1) : undefined,
        refetch: () => {
          for (const { refetch } of results) void refetch()
        },
      }
    },
  })
}
