import { describe, expect, test } from 'vitest'
import { createShop } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ open }) => {
  test('behavior: an order that another process changed is read again, and has another tag', async () => {
    const database = await open()
    const another = await open(database.url)
    const shop = await createShop({ database })
    const beside = await createShop({ database: another })
    const { path, clientSecret } = await shop.createOrder()
    const send = (
      { send: sendTo }: typeof shop,
      method: string,
      options: { body?: object; etag?: string } = {},
    ): Promise<Response> => {
      const headers = { authorization: clientSecret, ...(options.etag && { 'if-none-match': options.etag }) }
      return sendTo(method, path, { key: null, headers, ...(options.body && { body: options.body }) })
    }
    const first = await send(shop, 'GET')
    const etag = first.headers.get('etag') ?? ''
    expect((await send(shop, 'GET', { etag })).status).toBe(304)
    expect((await send(beside, 'GET', { etag })).status).toBe(304)
    expect((await send(beside, 'PATCH', { body: { locale: 'fr-FR' } })).status).toBe(200)
    const changed = await send(shop, 'GET', { etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
    expect(await changed.json()).toMatchObject({ locale: 'fr-FR' })
    await Promise.all([database.close(), another.close()])
  })
})

test('behavior: an order that was read is not shown to another project', async () => {
  const shop = await createShop()
  const { path } = await shop.createOrder()
  expect((await shop.send('GET', path)).status).toBe(200)
  const other = await createShop({ database: shop.database })
  expect((await other.send('GET', path)).status).toBe(404)
  expect((await shop.send('GET', path)).status).toBe(200)
  await shop.close()
})

test('behavior: orders that are read at once are each their own, however often, and in any case', async () => {
  const shop = await createShop()
  const other = await createShop({ database: shop.database })
  const created = await Promise.all(Array.from({ length: 5 }, () => shop.createOrder()))
  const paths = created.map(({ path }) => path)
  const asked = [...paths, ...paths, ...paths.map((path) => path.replace(/[^/]+$/, (id) => id.toUpperCase()))]
  for (let round = 0; round < 2; round++) {
    const [own, foreign] = await Promise.all([
      Promise.all(asked.map(async (path) => (await shop.send('GET', path)).json())),
      Promise.all(asked.map(async (path) => (await other.send('GET', path)).status)),
    ])
    expect(own.map((order) => (order as { orderId: string }).orderId)).toEqual(
      asked.map((path) => path.replace(/.*\//, '').toLowerCase()),
    )
    expect(new Set(foreign)).toEqual(new Set([404]))
  }
  await shop.close()
})

test('behavior: the merchant and the buyer each see their own view, and an expired quote', async () => {
  const shop = await createShop()
  const { path, clientSecret } = await shop.createOrder()
  await shop.send('PATCH', path, { body: { payment: { ...payment, receiptEmail: 'ada@example.com' } } })
  const asBuyer = { key: null, headers: { authorization: clientSecret } }
  for (let round = 0; round < 2; round++) {
    expect(await (await shop.send('GET', path)).text()).toContain('ada@example.com')
    expect(await (await shop.send('GET', path, asBuyer)).text()).not.toContain('ada@example.com')
  }
  await shop.advance(60 * 60_000)
  expect(await (await shop.send('GET', path)).json()).toMatchObject({ quote: { status: 'expired' } })
  await shop.close()
})

const payment = {
  method: 'base-sepolia',
  currency: 'eth',
  payerAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
}
