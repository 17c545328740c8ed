import { useInfiniteQuery } from '@tanstack/react-query'
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { createCheckoutHandler } from '../../src/server/index.js'
import {
  transactionsInfiniteQueryOptions,
  useWallet,
  useWalletTokens,
  walletTokensInfiniteQueryOptions,
} from '../../src/wallet/index.js'
import { readDefaults } from '../../src/wallet/readOptions.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { transactionFixture, walletFixture } from '../helpers/walletFixtures.js'
import { renderWalletHook } from './walletWorld.js'

const walletLocator = 'me:evm-smart-wallet'
const refuse = (status: number, message: string, headers = {}) =>
  Response.json({ error: true, message }, { status, headers })

/** A client whose requests are answered one after the other; the last answer is every further one. */
const answering = (...answers: (() => Response)[]) => {
  const paths: string[] = []
  const client = createClient({
    baseUrl: 'http://wallet.test/api',
    fetch: async (input, init) => {
      // In StrictMode the first of two renders takes its request back.
      await Promise.resolve()
      init?.signal?.throwIfAborted()
      paths.push(decodeURIComponent(String(input).replace('http://wallet.test/api', '')))
      return (answers[paths.length - 1] ?? answers.at(-1) ?? Response.error)()
    },
  })
  return { client, paths }
}

const showWallet = (client: ReturnType<typeof createClient>) =>
  renderWalletHook({ service: { client } }, () => useWallet({ client, walletLocator })).result

describe('a user without a wallet', () => {
  test('default: it is the word of the service, and told at once', async () => {
    const { client, paths } = answering(() => refuse(404, 'Wallet email:ada@example.com:x not found'))
    const result = showWallet(client)
    await waitFor(() => expect(result.current.error?.code).toBe('api.not-found'))
    expect(paths).toHaveLength(1)
  })

  test.each([
    ['another handler', () => refuse(404, 'Not found')],
    ['a page that is not there', () => new Response('<h1>404</h1>', { status: 404 })],
    ['a shop of that name', () => refuse(404, 'Collection Wallets not found')],
  ])('error: wallet.handler-missing for %s', async (_, answer) => {
    const { client, paths } = answering(answer)
    const result = showWallet(client)
    await waitFor(() =>
      expect(result.current.error).toMatchObject({
        code: 'wallet.handler-missing',
        context: { url: 'http://wallet.test/api' },
      }),
    )
    expect(paths).toHaveLength(1)
  })

  test('error: wallet.handler-missing for the checkout’s own handler', async () => {
    const handle = createCheckoutHandler({
      baseUrl: 'http://service.test/api',
      apiKey: 'sk_staging_x',
      createOrder: () => ({ lineItems: [] }),
    })
    const { fetch } = createShopBrowser(handle)
    const result = showWallet(createClient({ baseUrl: '/api/checkout', fetch }))
    await waitFor(() => expect(result.current.error?.code).toBe('wallet.handler-missing'))
  })
})

describe('tries', () => {
  test('behavior: one answer that is lost is no error', async () => {
    const { client, paths } = answering(
      () => {
        throw new TypeError('connection lost')
      },
      () => Response.json(walletFixture),
    )
    const result = showWallet(client)
    await waitFor(() => expect(result.current.data).toEqual(walletFixture))
    expect(result.current.error).toBeNull()
    expect(paths).toHaveLength(2)
  })

  test('parameters: query.retry', async () => {
    const { client, paths } = answering(() => refuse(503, 'Away'))
    const { result } = renderWalletHook({ service: { client } }, () =>
      useWalletTokens({ client, identifier: 'me:base', query: { retry: false } }),
    )
    await waitFor(() => expect(result.current.error?.code).toBe('api.unavailable'))
    expect(paths).toHaveLength(1)
  })

  test("behavior: obeys a service's requested wait, and reports a long one", async () => {
    const catchError = async (answer: Response) => {
      const { client } = answering(() => answer)
      const result = showWallet(client)
      await waitFor(() => expect(result.current.failureReason).not.toBeNull())
      const { failureReason } = result.current
      if (!failureReason) throw new Error('it did not fail')
      return failureReason
    }
    const soon = await catchError(refuse(429, 'Slow down', { 'retry-after': '3' }))
    expect(readDefaults.retry(0, soon)).toBe(true)
    expect(readDefaults.retryDelay(0, soon)).toBe(3_000)
    expect([readDefaults.retry(2, soon), readDefaults.retry(3, soon)]).toEqual([true, false])
    const late = await catchError(refuse(429, 'Slow down', { 'retry-after': '60' }))
    expect(readDefaults.retry(0, late)).toBe(false)
    const plain = await catchError(refuse(503, 'Away'))
    expect([0, 1, 2, 9].map((failures) => readDefaults.retryDelay(failures, plain))).toEqual([
      1_000, 2_000, 4_000, 5_000,
    ])
  })
})

const tokenOf = (id: number) => ({ chain: 'base', metadata: {}, locator: `base:0xc0:${id}` })

describe('lists that grow', () => {
  test('default: page after page, past a short one, until one is empty', async () => {
    const { client, paths } = answering(
      () => Response.json([tokenOf(1), tokenOf(2)]),
      () => Response.json([tokenOf(3)]),
      () => Response.json([]),
    )
    const { result } = renderWalletHook({ service: { client } }, () =>
      useInfiniteQuery(walletTokensInfiniteQueryOptions(client, { identifier: 'me:base', perPage: 2 })),
    )
    await waitFor(() => expect(result.current.data?.pages).toHaveLength(1))
    for (const length of [2, 3]) {
      expect(result.current.hasNextPage).toBe(true)
      await act(async () => void (await result.current.fetchNextPage()))
      await waitFor(() => expect(result.current.data?.pages).toHaveLength(length))
    }
    expect(result.current.hasNextPage).toBe(false)
    expect(result.current.data?.pages.flat().map(({ locator }) => locator)).toEqual([
      'base:0xc0:1',
      'base:0xc0:2',
      'base:0xc0:3',
    ])
    expect(paths).toEqual([1, 2, 3].map((page) => `/2022-06-09/wallets/me:base/nfts?page=${page}&perPage=2`))
  })

  test('parameters: query.select, and a page beside the list is another query', async () => {
    const { client } = answering(() => Response.json([tokenOf(1)]))
    const { result, queries } = renderWalletHook({ service: { client } }, () => ({
      page: useWalletTokens({ client, identifier: 'me:base' }),
      count: useInfiniteQuery(
        walletTokensInfiniteQueryOptions(client, {
          identifier: 'me:base',
          query: { select: ({ pages }) => pages.flat().length },
        }),
      ),
    }))
    await waitFor(() => expect(result.current.count.data).toBe(1))
    await waitFor(() => expect(result.current.page.data).toHaveLength(1))
    expect(queries.getQueryCache().getAll()).toHaveLength(2)
  })

  test('default: transactions', async () => {
    const { client } = answering(
      () => Response.json({ transactions: [transactionFixture('x')] }),
      () => Response.json({ transactions: [] }),
    )
    const { result } = renderWalletHook({ service: { client } }, () =>
      useInfiniteQuery(transactionsInfiniteQueryOptions(client, { walletLocator })),
    )
    await waitFor(() => expect(result.current.hasNextPage).toBe(true))
    await act(async () => void (await result.current.fetchNextPage()))
    await waitFor(() => expect(result.current.hasNextPage).toBe(false))
  })
})
