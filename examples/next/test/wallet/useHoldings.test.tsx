import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { createClient } from 'kassa/api'
import { WalletProvider } from 'kassa/wallet'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useHoldings } from '../../lib/wallet/useHoldings'

afterEach(cleanup)

const address = `0x${'a0'.repeat(20)}`

const tokensFrom = (chain: string, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    chain,
    contractAddress: `0x${'c0'.repeat(20)}`,
    tokenId: String(first + index),
    metadata: {},
    locator: `${chain}:0xc0:${first + index}`,
  }))

/** Queries a service with these pages by chain. A chain without pages does not answer. */
const open = (pages: Record<string, ReturnType<typeof tokensFrom>[] | undefined>) => {
  const client = createClient({
    baseUrl: 'https://shop.example',
    fetch: async (input) => {
      const url = new URL(String(input))
      const [, chain = ''] = /wallets\/([\w-]+)(?::|%3A)/.exec(url.pathname) ?? []
      const list = pages[chain]
      if (!list) return Response.json({ error: 'Away' }, { status: 503 })
      return Response.json(list[Number(url.searchParams.get('page') ?? 1) - 1] ?? [])
    },
  })
  const queryClient = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <WalletProvider client={client}>{children}</WalletProvider>
    </QueryClientProvider>
  )
  return renderHook(() => useHoldings(address, Object.keys(pages)), { wrapper }).result
}

test('default: the tokens of all chains, with no more to load', async () => {
  const result = open({ base: [tokensFrom('base', 1, 2)], polygon: [tokensFrom('polygon', 1, 1)] })
  await waitFor(() => expect(result.current.isPending).toBe(false))
  expect(result.current.tokens).toHaveLength(3)
  expect(result.current).toMatchObject({ away: [], showMore: undefined })
})

test('behavior: a short page is not the last, because a token that left keeps its place', async () => {
  const result = open({ base: [tokensFrom('base', 1, 23), tokensFrom('base', 24, 5)] })
  await waitFor(() => expect(result.current.showMore).toBeDefined())
  expect(result.current.tokens).toHaveLength(23)
  act(() => result.current.showMore?.())
  await waitFor(() => expect(result.current.tokens).toHaveLength(28))
  await waitFor(() => expect(result.current.showMore).toBeUndefined())
})

test('behavior: a full last page offers no more', async () => {
  const result = open({ base: [tokensFrom('base', 1, 24)] })
  await waitFor(() => expect(result.current.isPending).toBe(false))
  await waitFor(() => expect(result.current.showMore).toBeUndefined())
  expect(result.current.tokens).toHaveLength(24)
})

test('behavior: a token on two pages counts once', async () => {
  const result = open({ base: [tokensFrom('base', 1, 24), tokensFrom('base', 24, 2)] })
  await waitFor(() => expect(result.current.showMore).toBeDefined())
  act(() => result.current.showMore?.())
  await waitFor(() => expect(result.current.tokens).toHaveLength(25))
})

test('error: one chain does not answer, and the others are shown', async () => {
  const result = open({ base: [tokensFrom('base', 1, 1)], polygon: undefined })
  await waitFor(() => expect(result.current.away).toEqual(['polygon']))
  expect(result.current.tokens).toHaveLength(1)
})
