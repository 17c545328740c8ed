import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { createWalletHandler } from '../../src/server/index.js'
import {
  useWallet,
  useWalletTokens,
  walletQueryOptions,
  walletTokensQueryOptions,
} from '../../src/wallet/index.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { walletFixture } from '../helpers/walletFixtures.js'
import { renderWalletHook } from './walletWorld.js'

const walletLocator = 'me:evm-smart-wallet'
const identifier = 'me:base-sepolia'

/** A shop whose sessions are cookies, before a service that answers for Ada alone. */
const createShop = () => {
  const asked: string[] = []
  const handle = createWalletHandler({
    baseUrl: 'http://service.test/api',
    apiKey: 'sk_staging_x',
    user: ({ headers }) => (headers.get('cookie') === 'session=ada' ? 'email:ada@example.com' : undefined),
    fetch: async (input) => {
      asked.push(decodeURIComponent(String(input)))
      return Response.json(String(input).includes('/nfts') ? [] : walletFixture)
    },
  })
  return { handle, asked }
}

/** What a server component has: the handler in its own process, and the cookies of the page's request. */
const createServerClient = (handle: (request: Request) => Promise<Response>, cookie: string) =>
  createClient({
    baseUrl: 'https://shop.example/api/wallet',
    publicBaseUrl: '/api/wallet',
    fetch: (input, init) => {
      const request = new Request(input, init)
      request.headers.set('cookie', cookie)
      return handle(request)
    },
  })

test('default: what a server has read, the page shows without asking', async () => {
  const { handle, asked } = createShop()
  const onServer = new QueryClient()
  const client = createServerClient(handle, 'session=ada')
  await Promise.all([
    onServer.prefetchQuery(walletQueryOptions(client, { walletLocator })),
    onServer.prefetchQuery(walletTokensQueryOptions(client, { identifier })),
  ])
  expect(asked.every((url) => url.includes('email:ada@example.com'))).toBe(true)

  const queryClient = new QueryClient()
  hydrate(queryClient, JSON.parse(JSON.stringify(dehydrate(onServer))))
  const browser = createShopBrowser(handle)
  const inBrowser = createClient({ baseUrl: '/api/wallet', fetch: browser.fetch })
  const { result } = renderWalletHook({ service: { client: inBrowser }, queryClient }, () => ({
    wallet: useWallet({ client: inBrowser, walletLocator }),
    tokens: useWalletTokens({ client: inBrowser, identifier }),
  }))
  expect(result.current.wallet.data).toEqual(walletFixture)
  expect(result.current.tokens.data).toEqual([])
  expect(browser.answers).toEqual([])
})

test("error: a signed-out visitor's page has no data, and requests it in the browser", async () => {
  const { handle, asked } = createShop()
  const onServer = new QueryClient()
  await onServer.prefetchQuery(walletQueryOptions(createServerClient(handle, ''), { walletLocator }))
  expect(dehydrate(onServer).queries).toEqual([])
  expect(asked).toEqual([])
  const browser = createShopBrowser(handle)
  browser.jar.set('session', 'ada')
  const client = createClient({ baseUrl: '/api/wallet', fetch: browser.fetch })
  const { result } = renderWalletHook({ service: { client } }, () => useWallet({ client, walletLocator }))
  await waitFor(() => expect(result.current.data).toEqual(walletFixture))
})
