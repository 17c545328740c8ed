'use client'

import { useQueries } from '@tanstack/react-query'
import type { WalletToken } from 'kassa/schema'
import { useWalletClient, walletTokensQueryOptions } from 'kassa/wallet'
import { useState } from 'react'

const perPage = 24
/** How often a visible page checks for received and sent tokens. */
const everyMs = 30_000

/** A wallet's tokens on all chains of the shop. */
export type Holdings = {
  tokens: readonly WalletToken[]
  /** Whether any chain has not answered yet. */
  isPending: boolean
  /** The chains that do not respond. Their previously loaded tokens are in `tokens`. */
  away: readonly string[]
  /** Loads more; undefined when everything is loaded. */
  showMore: (() => void) | undefined
  refetch: () => void
}

/** Queries every chain for a wallet's tokens. */
export const useHoldings = (address: string, chains: readonly string[]): Holdings => {
  const client = useWalletClient()
  const [pages, setPages] = useState(1)
  // Loads one page more than it shows. A token that has left keeps its place for a while, so a short page
  // does not mean the last one. The list ends with an empty page.
  const asked = chains.flatMap((chain) =>
    Array.from({ length: pages + 1 }, (_, index) => ({ chain, page: index + 1 })),
  )
  return useQueries({
    queries: asked.map(({ chain, page }) => ({
      ...walletTokensQueryOptions(client, { identifier: `${chain}:${address}`, page, perPage }),
      // A failure shows at once, and the interval retries it in any case.
      retry: false,
      // For the page after the shown ones, it is enough to know whether it has tokens.
      refetchInterval: page <= pages && everyMs,
    })),
    combine: (results) => {
      const isShown = (_: unknown, index: number): boolean => (asked[index]?.page ?? 0) <= pages
      const shown = results.filter(isShown)
      // A token that moves between pages during loading must count once.
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
