import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient, getOrder, getOrderIfChanged } from '../../src/api/index.js'
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
