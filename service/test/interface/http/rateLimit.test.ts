import { afterEach, expect, test } from 'vitest'
import { createShop, orderBody, ordersPath, type Shop } from '../../helpers/createShop.js'
import { testConfig } from '../../helpers/testConfig.js'

let shop: Shop | undefined
afterEach(() => shop?.close())

const limits = {
  ...testConfig.limits,
  writesPerMinute: 8,
  readsPerMinute: 4,
  clientWritesPerMinute: 8,
  secretWritesPerMinute: 3,
  secretReadsPerMinute: 2,
}
const open = async (changes: Partial<typeof limits> = {}) => {
  shop = await createShop({ config: { limits: { ...limits, ...changes }, isBehindProxy: true } })
  return shop
}

test('default', async () => {
  const { send } = await open()
  const responses = []
  for (let n = 0; n < 5; n++) responses.push(await send('GET', ordersPath))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  expect(responses.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
    '3',
    '2',
    '1',
    '0',
    '0',
  ])
  const last = responses[4]
  expect(last?.headers.get('ratelimit-limit')).toBe('4')
  expect(Number(last?.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await last?.json()).toEqual({ error: true, message: expect.stringContaining('Too many requests') })
})

test('behavior: reads and writes count separately', async () => {
  const { send } = await open()
  for (let n = 0; n < 4; n++) await send('GET', ordersPath)
  expect((await send('POST', ordersPath, { body: orderBody })).status).toBe(201)
})

test('behavior: reads by client secret count by order', async () => {
  const { send, createOrder } = await open()
  const [first, second] = [await createOrder(), await createOrder()]
  const read = ({ path, clientSecret }: typeof first) =>
    send('GET', path, { key: null, headers: { authorization: clientSecret } }).then(({ status }) => status)
  expect([await read(first), await read(first), await read(first)]).toEqual([200, 200, 429])
  expect(await read(second)).toBe(200)
  expect((await send('GET', ordersPath)).status).toBe(200)
})

test('behavior: writes by client secret count by order, and not against the project', async () => {
  const { send, createOrder } = await open()
  const [first, second] = [await createOrder(), await createOrder()]
  const write = async (order: typeof first, method: string, path: string, body?: object) => {
    const headers = { authorization: order.clientSecret }
    const options = { key: null, headers, ...(body && { body }) }
    return (await send(method, `${order.path}${path}`, options)).status
  }
  expect(await write(first, 'PATCH', '', { locale: 'fr-FR' })).toBe(200)
  expect(await write(first, 'POST', '/refresh')).toBe(200)
  expect(await write(first, 'POST', '/payment', { type: 'crypto-tx-id', txId: '0x1' })).toBe(200)
  expect(await write(first, 'PATCH', '', { locale: 'fr-FR' })).toBe(429)
  expect(await write(second, 'POST', '/refresh')).toBe(200)
  const third = await send('POST', ordersPath, { body: orderBody })
  expect(third.headers.get('ratelimit-remaining')).toBe('5')
})

/** Creates orders with the client key, and returns the allowances in the answers. */
const createFrom = async (
  { send, clientKey }: Shop,
  address: string,
  lineItems: unknown = orderBody.lineItems,
): Promise<unknown[]> => {
  const headers = { 'x-forwarded-for': `203.0.113.9, ${address}` }
  const body = { ...orderBody, lineItems }
  const response = await send('POST', ordersPath, { body, key: clientKey, headers })
  const told = ['limit', 'remaining'].map((name) => response.headers.get(`ratelimit-${name}`))
  return [response.status, ...told]
}

test("behavior: one address has a quarter of the project's allowance for client keys", async () => {
  const opened = await open()
  const from = (address: string) => createFrom(opened, address)
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    expect(await from(address)).toEqual([201, '2', '1'])
    expect(await from(address)).toEqual([201, '2', '0'])
    // Refused before the project is counted, so later callers still have their part.
    for (let n = 0; n < 3; n++) expect(await from(address)).toEqual([429, '2', '0'])
  }
  expect(await from('198.51.100.4')).toEqual([201, '2', '1'])
  expect(await from('198.51.100.5')).toEqual([201, '8', '0'])
  expect(await from('198.51.100.6')).toEqual([429, '8', '0'])
})

test("behavior: client keys do not use up the server key's allowance", async () => {
  const opened = await open()
  for (let n = 0; n < 12; n++) await createFrom(opened, `198.51.100.${n}`)
  expect((await createFrom(opened, '198.51.100.99'))[0]).toBe(429)
  const byServer = await opened.send('POST', ordersPath, { body: orderBody })
  expect([byServer.status, byServer.headers.get('ratelimit-remaining')]).toEqual([201, '7'])
})

test('behavior: an address counts as one, whether a proxy records its port or not', async () => {
  const opened = await open()
  const statuses: unknown[] = []
  for (const from of ['198.51.100.1:4711', '198.51.100.1:4712', '198.51.100.1']) {
    statuses.push((await createFrom(opened, from))[0])
  }
  expect(statuses).toEqual([201, 201, 429])
  expect((await createFrom(opened, '198.51.100.2:4711'))[0]).toBe(201)
  expect(await createFrom(opened, '[2001:db8::1]:4711')).toEqual([201, '2', '1'])
  expect(await createFrom(opened, '2001:db8::2')).toEqual([201, '2', '0'])
})

test('behavior: one IPv6 /64 counts as one address', async () => {
  const opened = await open()
  const statuses: unknown[] = []
  for (const end of ['1', '2', 'ffff:1', 'a:b:c:d']) {
    statuses.push((await createFrom(opened, `2001:db8:1:2:${end.includes(':b') ? end : `:${end}`}`))[0])
  }
  expect(statuses).toEqual([201, 201, 429, 429])
  expect((await createFrom(opened, '2001:db8:1:3::1'))[0]).toBe(201)
  // An IPv4 address in IPv6 notation is the same address.
  expect(await createFrom(opened, '198.51.100.1')).toEqual([201, '2', '1'])
  expect(await createFrom(opened, '::ffff:198.51.100.1')).toEqual([201, '2', '0'])
})

test('behavior: refused bodies count against the address alone', async () => {
  const opened = await open()
  for (let n = 1; n <= 6; n++) {
    for (let round = 0; round < 2; round++)
      expect((await createFrom(opened, `198.51.100.${n}`, []))[0]).toBe(400)
    expect((await createFrom(opened, `198.51.100.${n}`, []))[0]).toBe(429)
  }
  expect(await createFrom(opened, '198.51.100.9')).toEqual([201, '2', '1'])
})

test('behavior: client secrets have an allowance per address, besides the one per order', async () => {
  const opened = await open({ addressSecretReadsPerMinute: 3 })
  const orders = [await opened.createOrder(), await opened.createOrder(), await opened.createOrder()]
  const read = async ({ path, clientSecret }: (typeof orders)[number], address: string) => {
    const headers = { authorization: clientSecret, 'x-forwarded-for': address }
    return (await opened.send('GET', path, { key: null, headers })).status
  }
  const statuses = []
  for (const order of [...orders, ...orders]) statuses.push(await read(order, '2001:db8::1'))
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  for (const order of orders) expect(await read(order, '2001:db8:0:1::1')).toBe(200)
})

test('behavior: HEAD is a read', async () => {
  const { send } = await open()
  const head = await send('HEAD', ordersPath)
  expect([head.status, head.headers.get('ratelimit-limit')]).toEqual([200, '4'])
})
