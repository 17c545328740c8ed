import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createShop, orderBody, ordersPath, type Shop } from '../../helpers/createShop.js'
import { testOrigin } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
let order: Awaited<ReturnType<Shop['createOrder']>>
beforeAll(async () => {
  order = await shop.createOrder()
})

const secretOnly = (authorization: string) => ({ key: null, headers: { authorization } })
const answer = async (response: Response) => {
  const body: unknown = await response.json()
  return Object.assign({ status: response.status }, body)
}

test('default', async () => {
  expect((await shop.send('POST', ordersPath, { body: orderBody })).status).toBe(201)
})

test('behavior: a client secret opens its order, raw or as a bearer', async () => {
  for (const authorization of [
    order.clientSecret,
    `Bearer ${order.clientSecret}`,
    `bearer ${order.clientSecret}`,
  ]) {
    const response = await shop.send('GET', order.path, secretOnly(authorization))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ orderId: order.orderId })
  }
})

test('behavior: header names have no case', async () => {
  const response = await shop.app.request(order.path, { headers: { 'X-API-KEY': shop.serverKey } })
  expect(response.status).toBe(200)
})

test('behavior: a key beside a client secret is ignored unless it is malformed', async () => {
  const headers = { authorization: order.clientSecret }
  const unknown = `ck_staging_${randomBytes(32).toString('base64url')}`
  const foreign = `sk_production_${randomBytes(32).toString('base64url')}`
  expect((await shop.send('GET', order.path, { key: unknown, headers })).status).toBe(200)
  expect((await shop.send('GET', order.path, { key: foreign, headers })).status).toBe(200)
  expect(await answer(await shop.send('GET', order.path, { key: 'nonsense', headers }))).toMatchObject({
    status: 401,
    error: true,
    message: expect.stringContaining('malformed'),
  })
})

test('behavior: an API key that is repeated in Authorization is an API key', async () => {
  for (const authorization of [shop.serverKey, `Bearer ${shop.serverKey}`]) {
    const response = await shop.send('GET', order.path, { headers: { authorization } })
    expect(response.status).toBe(200)
  }
  const alone = await shop.send('GET', order.path, secretOnly(shop.serverKey))
  expect(alone.status).toBe(401)
})

test('behavior: a client key creates orders from its origins, and from no page at all', async () => {
  const options = { body: orderBody, key: shop.clientKey }
  const from = (origin: string) => shop.send('POST', ordersPath, { ...options, headers: { origin } })
  expect((await from(testOrigin)).status).toBe(201)
  expect((await shop.send('POST', ordersPath, options)).status).toBe(201)
  expect(await answer(await from('https://evil.example'))).toMatchObject({
    status: 403,
    message: expect.stringContaining('https://evil.example'),
  })
})

test('behavior: in the sandbox only, a client key works from every page of this machine', async () => {
  const pages = ['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:3000', 'https://localhost:8443']
  const strangers = [
    'http://localhost.evil.example',
    'http://evil.example:3000',
    'null',
    'http://localhost:1.evil.example',
  ]
  const outside = await createShop({ config: { isSandbox: false } })
  const from = async ({ send, clientKey }: Shop, origin: string) =>
    (await send('POST', ordersPath, { body: orderBody, key: clientKey, headers: { origin } })).status
  for (const page of pages) {
    expect({ page, status: await from(shop, page) }).toEqual({ page, status: 201 })
    expect({ page, status: await from(outside, page) }).toEqual({ page, status: 403 })
  }
  for (const page of strangers)
    expect({ page, status: await from(shop, page) }).toEqual({ page, status: 403 })
  await outside.close()
})

test('behavior: a server key works from servers and from this service’s own pages, and from no other page', async () => {
  const { publicUrl } = shop.deps.config
  const from = (headers: Record<string, string>) => shop.send('GET', order.path, { headers })
  // What Node sends with every `fetch`, and the page of the interface.
  expect((await from({ 'sec-fetch-mode': 'cors', 'user-agent': 'node' })).status).toBe(200)
  expect((await from({ origin: publicUrl, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  for (const origin of ['https://shop.example', 'http://localhost:5173', 'null'])
    expect(await answer(await from({ origin }))).toMatchObject({
      status: 403,
      message: expect.stringContaining(`A server key was sent from a page of ${origin}`),
    })
})

test('behavior: a client key cannot read an order without its client secret', async () => {
  const headers = { origin: testOrigin }
  expect(await answer(await shop.send('GET', order.path, { key: shop.clientKey, headers }))).toMatchObject({
    status: 403,
    message: expect.stringContaining('orders.read'),
  })
  expect((await shop.send('GET', ordersPath, { key: shop.clientKey, headers })).status).toBe(403)
})

test('error: key-invalid', async () => {
  const unknown = `sk_staging_${randomBytes(32).toString('base64url')}`
  const production = `sk_production_${randomBytes(32).toString('base64url')}`
  for (const [key, message] of [
    [null, 'X-API-KEY'],
    ['', 'malformed'],
    ['sk_staging_short', 'malformed'],
    [unknown, 'unknown'],
    [production, 'production'],
  ] as const) {
    const response =
      key === ''
        ? await shop.app.request(ordersPath, { headers: { 'x-api-key': '' } })
        : await shop.send('GET', ordersPath, { key })
    expect(await answer(response)).toEqual({
      status: 401,
      error: true,
      message: expect.stringContaining(message),
    })
  }
})

test('error: key-invalid, the secret of another order', async () => {
  const other = await shop.createOrder()
  for (const secret of [other.clientSecret, 'cs_nonsense']) {
    expect((await shop.send('GET', order.path, secretOnly(secret))).status).toBe(401)
    expect((await shop.send('PATCH', order.path, { ...secretOnly(secret), body: {} })).status).toBe(401)
  }
})

test('error: key-invalid, a client secret where only a key is accepted', async () => {
  expect((await shop.send('GET', ordersPath, secretOnly(order.clientSecret))).status).toBe(401)
})

test('error: forbidden, naming the scope', async () => {
  const key = await createKey(shop.deps, {
    kind: 'server',
    environment: 'staging',
    projectId: shop.projectId,
    scopes: ['orders.create'],
    origins: [],
  })
  expect(await answer(await shop.send('GET', order.path, { key }))).toEqual({
    status: 403,
    error: true,
    message: expect.stringContaining('orders.read'),
  })
  expect((await shop.send('PATCH', order.path, { key, body: { locale: 'de-DE' } })).status).toBe(403)
})

test('error: not-found, an order of another project', async () => {
  const projectId = await createProject(shop.deps.db, 'another')
  const key = await createKey(shop.deps, {
    kind: 'server',
    environment: 'staging',
    projectId,
    scopes: ['orders.read', 'orders.update'],
    origins: [],
  })
  for (const path of [order.path, `${ordersPath}/not-a-uuid`, `${ordersPath}/${crypto.randomUUID()}`]) {
    expect(await answer(await shop.send('GET', path, { key }))).toEqual({
      status: 404,
      error: true,
      message: 'Not found',
    })
  }
  expect((await shop.send('PATCH', order.path, { key, body: { locale: 'de-DE' } })).status).toBe(404)
})
