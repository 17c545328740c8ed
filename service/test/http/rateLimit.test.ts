import { afterEach, expect, test } from 'vitest'
import { createShop, orderBody, ordersPath, type Shop } from '../helpers/createShop.js'

let shop: Shop | undefined
afterEach(() => shop?.close())

const limits = { writesPerMinute: 3, readsPerMinute: 4, secretReadsPerMinute: 2 }
const open = async () => {
  shop = await createShop({ config: { limits, isBehindProxy: true } })
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

test('behavior: reads and writes count apart', async () => {
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

test('behavior: a client key counts by address too, before its project', async () => {
  const { send, clientKey } = await open()
  const from = (address: string) =>
    send('POST', ordersPath, {
      body: { ...orderBody, lineItems: [] },
      key: clientKey,
      headers: { 'x-forwarded-for': `203.0.113.9, ${address}` },
    }).then(({ status }) => status)
  // The project allows three; what one address used up beyond that was refused before the project was counted.
  expect([await from('198.51.100.1'), await from('198.51.100.1')]).toEqual([400, 400])
  expect(await from('198.51.100.2')).toBe(400)
  expect(await from('198.51.100.2')).toBe(429)
})
