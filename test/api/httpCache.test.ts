import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient, getOrder, getOrderIfChanged } from '../../src/api/index.js'
import { orderQueryOptions } from '../../src/query/order.js'
import { orders } from '../../stories/fixtures/orders.js'

const order = orders.awaitingPaymentNative
const { orderId } = order
const etag = '"the-one-that-is-known"'
const fetchStub = vi.fn(async (_url: string, _init: RequestInit) =>
  Response.json(order, { headers: { etag } }),
)

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub)
  fetchStub.mockClear()
})

afterEach(() => vi.unstubAllGlobals())

const lastCall = () => {
  const init = fetchStub.mock.lastCall?.[1]
  return { cache: init?.cache, ifNoneMatch: new Headers(init?.headers).get('if-none-match') }
}

test("behavior: a browser's own cache revalidates, so that no poll needs an extra preflight", async () => {
  vi.stubGlobal('document', {})
  const client = createClient({ baseUrl: 'https://shop.example/api' })
  expect(await getOrderIfChanged(client, { orderId })).toMatchObject({ isUnchanged: false, etag })
  expect(await getOrderIfChanged(client, { orderId, etag })).toEqual({ isUnchanged: true })
  expect(lastCall()).toEqual({ cache: 'default', ifNoneMatch: null })
  expect(await getOrderIfChanged(client, { orderId, etag: '"an-older-one"' })).toMatchObject({ data: order })
})

test('behavior: what money is decided by never comes from a cache', async () => {
  vi.stubGlobal('document', {})
  await getOrder(createClient({ baseUrl: 'https://shop.example/api' }), { orderId })
  expect(lastCall()).toEqual({ cache: 'no-store', ifNoneMatch: null })
})

test('behavior: where fetch has no cache, or is the caller’s own, the known answer is named', async () => {
  const named = { cache: 'no-store', ifNoneMatch: etag }
  await getOrderIfChanged(createClient({ baseUrl: 'https://shop.example/api' }), { orderId, etag })
  expect(lastCall()).toEqual(named)
  vi.stubGlobal('document', {})
  const own = (url: RequestInfo | URL, init?: RequestInit) => fetchStub(String(url), init ?? {})
  const client = createClient({ baseUrl: 'https://shop.example/api', fetch: own })
  await getOrderIfChanged(client, { orderId, etag })
  expect(lastCall()).toEqual(named)
})

test('error: api.invalid-answer when nothing has changed for a caller that knew nothing', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 304 }))
  const client = createClient({ baseUrl: 'https://shop.example/api' })
  const issues = 'not modified, but there was no earlier response'
  const refusal = { code: 'api.invalid-answer', context: { issues } }
  await expect(getOrder(client, { orderId })).rejects.toMatchObject(refusal)
  const queryClient = new QueryClient()
  const query = orderQueryOptions(client, { orderId })
  await expect(queryClient.fetchQuery(query)).rejects.toMatchObject(refusal)
})

test('behavior: a refusal is told in the first sentence that the service gives', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ message: { not: 'a sentence' }, error: 'The wallet is gone' }, { status: 404 }),
  )
  const client = createClient({ baseUrl: 'https://shop.example/api' })
  await expect(getOrder(client, { orderId })).rejects.toMatchObject({
    code: 'api.not-found',
    context: { message: 'The wallet is gone' },
  })
})
