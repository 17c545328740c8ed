import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { ServiceError } from '#base/errors.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { deadline } from '#interface/http/deadline.js'
import { onError } from '#interface/http/onError.js'
import { createShop, orderBody, ordersPath, type Shop, testPayer } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
let order: Awaited<ReturnType<Shop['createOrder']>>
beforeAll(async () => {
  order = await shop.createOrder()
})

const cursor = (text: string) => `cursor=${Buffer.from(text).toString('base64url')}`
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const create = (body: unknown) => shop.send('POST', ordersPath, { body })
const refusal = (message: string) => ({ error: true, message: expect.stringContaining(message) })
const without = (name: keyof typeof orderBody) => ({ ...orderBody, [name]: undefined })
const item = (callData: unknown) => ({
  ...orderBody,
  lineItems: [{ collectionLocator: 'kassa:prints', callData }],
})

test('default', async () => {
  const response = await create(orderBody)
  expect(response.status).toBe(201)
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/)
})

test.each([
  ['GET', '/live'],
  ['GET', '/ready'],
  ['GET', '/health'],
  ['GET', '/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/docs/standalone.js'],
  ['GET', '/docs/nothing'],
  ['GET', '/ipfs/bafkreinothing'],
  ['OPTIONS', ordersPath],
  ['GET', '/nothing'],
  ['DELETE', ordersPath],
  ['POST', ordersPath],
])('behavior: the answer to %s %s has a request id', async (method, path) => {
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const response = await shop.send(method, path, { key: null, headers })
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/)
})

test('error: input-invalid, a body that is not UTF-8', async () => {
  const body = Buffer.concat([
    Buffer.from(JSON.stringify({ ...orderBody, metadata: { note: '?' } }).replace('?"}', '')),
    Buffer.from([0xff, 0x22, 0x7d, 0x7d]),
  ])
  for (const headers of [{}, { 'x-idempotency-key': 'bytes' }]) {
    const response = await shop.app.request(ordersPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': shop.serverKey, ...headers },
      body: Uint8Array.from(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(refusal('body: not valid UTF-8'))
  }
})

test('error: input-invalid, more than 16 KiB of callData in all', async () => {
  const lineItem = (bytes: number) => ({
    collectionLocator: 'kassa:prints',
    callData: { note: 'x'.repeat(bytes) },
  })
  const send = (...sizes: number[]) => create({ ...orderBody, lineItems: sizes.map(lineItem) })
  const refused = await send(6_000, 6_000, 6_000)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toEqual(
    refusal('lineItems[2].callData: expected at most 16 KiB of JSON in all'),
  )
  expect((await send(6_000, 6_000)).status).toBe(201)
})

test('error: input-invalid, more than 16 KiB of metadata', async () => {
  const refused = await create({ ...orderBody, metadata: { note: 'x'.repeat(16 * 1024) } })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toEqual(refusal('metadata: expected at most 16 KiB of JSON'))
})

test.each([
  ['no body', '', 'body: required'],
  ['no JSON', '{', 'body: not valid JSON'],
  ['a list', '[]', 'body: expected object'],
  ['null', 'null', 'body: expected object'],
  ['no payment', without('payment'), 'payment: required'],
  ['no line items', without('lineItems'), 'lineItems'],
  ['an empty list', { ...orderBody, lineItems: [] }, 'lineItems: expected at least 1'],
  [
    'a price that is no decimal',
    item({ totalPrice: '1e3' }),
    'lineItems[0].callData.totalPrice: expected a decimal',
  ],
  ['a price that is another', item({ totalPrice: '0.02' }), '0.02'],
  ['half a token', item({ quantity: 1.5 }), 'lineItems[0].callData.quantity: '],
  ['too many', item({ quantity: 101 }), 'lineItems[0].callData.quantity: expected 100 or fewer'],
  [
    'a malformed locator',
    { ...orderBody, lineItems: { collectionLocator: 'x' } },
    'lineItems[0].collectionLocator',
  ],
  [
    'both recipients',
    { ...orderBody, recipient: { email: 'a@b.co', walletAddress: `0x${'1'.repeat(40)}` } },
    'recipient: ',
  ],
  ['a NUL', { ...orderBody, metadata: { note: 'a\0b' } }, 'metadata.note: contains an invalid character'],
  [
    'half a character',
    { ...orderBody, metadata: { note: '\ud800' } },
    'metadata.note: contains an invalid character',
  ],
  ['a NUL in a name', { ...orderBody, metadata: { 'a\0b': 1 } }, 'metadata: has a field name'],
  [
    'a NUL in an argument',
    item({ note: ['a\0b'] }),
    'lineItems[0].callData.note[0]: contains an invalid character',
  ],
  [
    'too many arguments',
    item({ note: 'x'.repeat(16 * 1024) }),
    'lineItems[0].callData: expected at most 16 KiB',
  ],
  [
    'a NUL in a postal address',
    { ...orderBody, recipient: { walletAddress: testPayer, physicalAddress: { city: 'a\0b' } } },
    'recipient.physicalAddress.city: contains an invalid character',
  ],
  [
    'nested metadata',
    JSON.stringify({ ...orderBody, metadata: { a: '?' } }).replace('"?"', nested(7_000)),
    'metadata.a[0][0]',
  ],
  [
    'nested arguments',
    JSON.stringify(item('?')).replace('"?"', nested(100_000)),
    'lineItems[0].callData[0][0]',
  ],
  ['a nest', `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested more than 32 levels'],
  ['a malformed locale', { ...orderBody, locale: 'en_US' }, 'locale: expected a BCP 47 language tag'],
  [
    'a chain that is not enabled',
    { ...orderBody, payment: { method: 'base', currency: 'eth' } },
    'payment.method',
  ],
])('error: input-invalid, %s', async (_, body, message) => {
  const response = await create(body)
  expect(await response.json()).toEqual(refusal(message))
  expect(response.status).toBe(400)
})

test('error: input-invalid, every field that is wrong', async () => {
  const body = { payment: { method: '', currency: 1 }, lineItems: { collectionLocator: 'x' } }
  const { message } = Object.assign({ message: '' }, await (await create(body)).json())
  expect(message).toContain('payment.method: ')
  expect(message).toContain('payment.currency: ')
  expect(message).toContain('lineItems[0].collectionLocator: ')
})

test('error: input-invalid, a field that cannot be edited', async () => {
  const response = await shop.send('PATCH', order.path, { body: { lineItems: [] } })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual(refusal('lineItems: '))
})

test('error: input-invalid, a transaction that cannot be stored', async () => {
  const body = { type: 'crypto-tx-id', txId: '0x\0' }
  const response = await shop.send('POST', `${order.path}/payment`, { body })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual(refusal('txId: contains an invalid character'))
})

test('parameters: metadata and arguments may be nested, and in any language', async () => {
  const metadata = { note: JSON.parse(nested(30)), 名: '🧵 é' }
  expect((await create({ ...orderBody, metadata })).status).toBe(201)
})

test('error: not-found', async () => {
  const collection = await create({ ...orderBody, lineItems: { collectionLocator: 'kassa:nothing' } })
  expect(collection.status).toBe(404)
  expect(await collection.json()).toEqual(refusal('Collection nothing not found'))
  const path = await shop.send('GET', '/api/2022-06-09/nothing')
  expect(path.status).toBe(404)
  expect(await path.json()).toEqual({ error: true, message: 'Not found' })
})

test('error: not-found, a method that the path does not accept', async () => {
  const path = '/api/2022-06-09/collections/prints'
  const response = await shop.send('DELETE', path)
  expect(response.status).toBe(404)
  expect(response.headers.get('allow')).toBe('GET, PATCH, PUT')
  expect(await response.json()).toEqual({
    error: true,
    message: `Not found: ${path} takes GET, PATCH, PUT`,
  })
  const nothing = await shop.send('DELETE', `${path}/nothing`)
  expect(nothing.headers.get('allow')).toBeNull()
  expect(await nothing.json()).toEqual({ error: true, message: 'Not found' })
})

test.each([
  ['one word', 'x'.repeat(3_000)],
  ['many words', '%20x'.repeat(3_000)],
])('error: not-found, a path of %s is not repeated in full', async (_, id) => {
  for (const method of ['GET', 'DELETE']) {
    const response = await shop.send(method, `/api/2022-06-09/collections/${id}`)
    expect(response.status).toBe(404)
    const { message } = (await response.json()) as { message: string }
    expect(message).toContain('…')
    expect(message.length).toBeLessThan(method === 'GET' ? 2_100 : 400)
  }
})

test('error: body-too-large', async () => {
  const response = await create({ ...orderBody, metadata: { text: 'x'.repeat(1024 * 1024) } })
  expect(response.status).toBe(413)
  expect(await response.json()).toEqual(refusal('1 MiB'))
})

test('error: a bug reveals only its request id', async () => {
  const logged: object[] = []
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void logged.push(fields) }
  const app = new Hono<ServiceEnv>()
  app.onError(onError(log))
  app.get('/bug', () => {
    throw new Error('the password is hunter2')
  })
  const response = await app.request('/bug')
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).toContain('contact support')
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain('at ')
  expect(logged).toHaveLength(1)
})

test.each([
  ['08006', 'database-unavailable'],
  ['57P01', 'database-unavailable'],
  ['ECONNREFUSED', 'database-unavailable'],
])('error: database-unavailable, by its code %s', async (code) => {
  const app = new Hono<ServiceEnv>()
  app.onError(onError({ info: () => {}, warn: () => {}, error: () => {} }))
  app.get('/', () => {
    throw new Error('Failed query', { cause: Object.assign(new Error('gone'), { code }) })
  })
  const response = await app.request('/')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await response.json()).toEqual(refusal('try again in a few minutes'))
})

test.each([
  ['chain-unavailable', 503],
  ['timeout', 504],
  ['conflict', 409],
] as const)('error: %s', async (code, status) => {
  const app = new Hono<ServiceEnv>()
  app.onError(onError({ info: () => {}, warn: () => {}, error: () => {} }))
  app.get('/', () => {
    throw new ServiceError(code, 'said')
  })
  const response = await app.request('/')
  expect(response.status).toBe(status)
  expect(response.headers.has('retry-after')).toBe(code !== 'conflict')
})

test('error: timeout, when an answer takes too long', async () => {
  const app = new Hono<ServiceEnv>()
  app.onError(onError({ info: () => {}, warn: () => {}, error: () => {} }))
  app.get('/slow', deadline(20), () => new Promise<Response>(() => {}))
  app.get('/quick', deadline(1_000), (c) => c.text('quick'))
  const slow = await app.request('/slow')
  expect(slow.status).toBe(504)
  expect(await slow.json()).toEqual(refusal('timeout'))
  expect(await (await app.request('/quick')).text()).toBe('quick')
})

test('behavior: an order has a strong ETag, and costs a 304 while nothing changes', async () => {
  const first = await shop.send('GET', order.path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  const again = await shop.send('GET', order.path, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(again.headers.get('etag')).toBe(etag)
  expect(again.headers.get('access-control-allow-origin')).toBe('*')
  expect(again.headers.has('x-request-id')).toBe(true)
  expect(await again.text()).toBe('')
  expect((await shop.send('GET', order.path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  await shop.send('PATCH', order.path, { body: { locale: 'fr-FR' } })
  expect((await shop.send('GET', order.path, { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('behavior: an order keeps a locale without a translation', async () => {
  const created = await create({ ...orderBody, locale: 'tlh' })
  expect(await created.json()).toMatchObject({ order: { locale: 'tlh' } })
  const edited = await shop.send('PATCH', order.path, { body: { locale: 'de-AT' } })
  expect(await edited.json()).toMatchObject({ locale: 'de-AT' })
})

test('behavior: orders allow browsers, and nothing else does', async () => {
  const preflight = (path: string, method: string) =>
    shop.app.request(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': method,
        'access-control-request-headers':
          'authorization,x-api-key,content-type,x-idempotency-key,if-none-match',
      },
    })
  for (const [path, method] of [
    [ordersPath, 'POST'],
    [order.path, 'PATCH'],
    [`${order.path}/refresh`, 'POST'],
    [`${order.path}/payment`, 'POST'],
  ] as const) {
    const response = await preflight(path, method)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toContain(method)
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
    for (const name of ['authorization', 'x-api-key', 'content-type', 'x-idempotency-key', 'if-none-match'])
      expect(allowed).toContain(name)
  }
  const refused = await shop.send('GET', order.path, {
    key: null,
    headers: { origin: 'https://shop.example' },
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  const exposed = refused.headers.get('access-control-expose-headers')?.toLowerCase()
  expect(exposed).toContain('etag')
  expect(exposed).toContain('retry-after')
  for (const path of ['/health', '/openapi.json', '/docs', '/api/2022-06-09/collections']) {
    expect((await preflight(path, 'GET')).headers.has('access-control-allow-origin')).toBe(false)
    const plain = await shop.app.request(path, { headers: { origin: 'https://shop.example' } })
    expect(plain.headers.has('access-control-allow-origin')).toBe(false)
  }
})

test('error: not-found below a base URL without /api, which a page can read', async () => {
  const path = ordersPath.replace('/api', '')
  const headers = { origin: 'https://shop.example' }
  const asked = await shop.app.request(path, { method: 'OPTIONS', headers })
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  const response = await shop.send('POST', path, { body: orderBody, key: null, headers })
  expect(response.status).toBe(404)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual({
    error: true,
    message: `Not found: the interface is at ${shop.deps.config.publicUrl}/api. End baseUrl with /api.`,
  })
})

test('behavior: health shows what is up', async () => {
  const response = await shop.app.request('/health')
  // No handler was given, so no job runs here.
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    status: 'down',
    database: 'up',
    jobs: 'down',
    chains: { 'base-sepolia': 'up' },
  })
})

test('behavior: readiness shows only whether the process is ready', async () => {
  const response = await shop.app.request('/ready')
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 503,
    body: { status: 'not-ready' },
  })
})

test('behavior: the edges of a list', async () => {
  const first = await shop.send('GET', `${ordersPath}?limit=1`)
  expect(first.status).toBe(200)
  const page = Object.assign({ data: [], nextCursor: '' }, await first.json())
  expect(page.data).toHaveLength(1)
  const next = await shop.send('GET', `${ordersPath}?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`)
  expect(next.status).toBe(200)
  expect(await next.text()).not.toBe(JSON.stringify(page))
  const queries = ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense']
  // The year 33658, which the database cannot read.
  queries.push(cursor(`older:999999999999999:${order.orderId}`))
  for (const query of queries) {
    const response = await shop.send('GET', `${ordersPath}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(refusal(query.split('=')[0] ?? ''))
  }
})
