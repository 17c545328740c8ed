import { beforeAll, expect, test } from 'vitest'
import { createClient, editOrder, getOrderIfChanged, streamOrder } from '../../src/api/index.js'
import type { Order } from '../../src/schema/index.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
let buyer: Buyer
beforeAll(async () => {
  buyer = await createBuyer(shop.address)
})

const opened = () => ({ orderId: buyer.order.orderId, clientSecret: buyer.clientSecret })

test('default: the order now and after every change, until the caller leaves', async () => {
  const events: { order: Order; eventId: string }[] = []
  const leaving = new AbortController()
  const following = streamOrder(buyer.client, {
    ...opened(),
    signal: leaving.signal,
    onOrder: (order, eventId) => void events.push({ order, eventId }),
  })
  await expect.poll(() => events).toHaveLength(1)
  const first = await getOrderIfChanged(buyer.client, opened())
  expect(first).toEqual({ isUnchanged: false, data: events[0]?.order, etag: events[0]?.eventId })
  const edited = await editOrder(buyer.client, { ...opened(), body: { locale: 'de-DE' } })
  await expect.poll(() => events.at(-1)?.order).toEqual(edited)

  const lastEventId = events.at(-1)?.eventId
  const later: Order[] = []
  const again = streamOrder(buyer.client, {
    ...opened(),
    lastEventId,
    signal: leaving.signal,
    onOrder: (order) => void later.push(order),
  })
  await editOrder(buyer.client, { ...opened(), body: { locale: 'fr-FR' } })
  await expect.poll(() => later.map(({ locale }) => locale)).toEqual(['fr-FR'])
  leaving.abort(new Error('left'))
  await Promise.all([following, again].map((stream) => expect(stream).rejects.toThrow('left')))
})

test('error: api.unauthorized: another secret, in the words of the service', async () => {
  const following = streamOrder(buyer.client, {
    ...opened(),
    clientSecret: `${buyer.clientSecret}x`,
    onOrder: () => undefined,
  })
  await expect(following).rejects.toMatchObject({
    code: 'api.unauthorized',
    context: { status: 401, message: expect.stringContaining('not the client secret of this order') },
  })
})

const answeringWith = (answer: () => Response) => {
  const client = createClient({ baseUrl: 'https://kassa.example/api', fetch: async () => answer() })
  const orders: Order[] = []
  const following = streamOrder(client, { ...opened(), onOrder: (order) => void orders.push(order) })
  return { following, orders }
}
const stream = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })

test('behavior: when the service ends the stream, it says how long to wait', async () => {
  const { following, orders } = answeringWith(() => stream('retry: 3210\n: open\n\n'))
  expect(await following).toEqual({ retryMs: 3_210 })
  expect(orders).toEqual([])
})

test.each([
  [
    'api.invalid-answer',
    'a page',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ],
  ['api.invalid-answer', 'no body', () => new Response(null, { status: 204 })],
  ['api.invalid-answer', 'no order', () => stream('id: 1\nevent: order\ndata: {}\n\n')],
  ['api.invalid-answer', 'no JSON', () => stream('id: 1\nevent: order\ndata: {\n\n')],
  [
    'api.rate-limited',
    'a refusal',
    () => new Response('{}', { status: 429, headers: { 'retry-after': '30' } }),
  ],
  ['api.unreachable', 'a failed connection', () => Response.error()],
] as const)('error: %s: %s', async (code, _, answer) => {
  const { following, orders } = answeringWith(() => {
    const response = answer()
    if (response.type === 'error') throw new TypeError('fetch failed')
    return response
  })
  await expect(following).rejects.toMatchObject({ code })
  expect(orders).toEqual([])
})

test('error: api.invalid-answer: the state of another order', async () => {
  const body = JSON.stringify({ ...buyer.order, orderId: crypto.randomUUID() })
  const { following, orders } = answeringWith(() => stream(`id: 1\nevent: order\ndata: ${body}\n\n`))
  await expect(following).rejects.toMatchObject({ code: 'api.invalid-answer' })
  expect(orders).toEqual([])
})
