import { beforeAll, expect, test } from 'vitest'
import { createClient, createOrder, listOrders } from '../../src/api/index.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
const ids: string[] = []

const body = {
  payment: { method: 'base-sepolia' as const, currency: 'eth' },
  lineItems: { collectionLocator: 'kassa:dunes' },
}

const merchant = () => createClient({ ...shop.address, apiKey: shop.address.serverKey })

beforeAll(async () => {
  for (const _ of [1, 2, 3]) ids.unshift((await createOrder(merchant(), { body })).order.orderId)
})

test('default: newest first', async () => {
  const { data, nextCursor } = await listOrders(merchant())
  expect(data.map(({ orderId }) => orderId)).toEqual(ids)
  expect(nextCursor).toBe(undefined)
})

test('parameters: limit, cursor', async () => {
  const first = await listOrders(merchant(), { limit: 2 })
  const second = await listOrders(merchant(), { limit: 2, cursor: first.nextCursor })
  expect([first, second].map(({ data }) => data.map(({ orderId }) => orderId))).toEqual([
    ids.slice(0, 2),
    ids.slice(2),
  ])
  const back = await listOrders(merchant(), { limit: 2, cursor: second.previousCursor })
  expect(back.data).toEqual(first.data)
})

test('error: api.bad-request, api.unauthorized', async () => {
  await expect(listOrders(merchant(), { limit: 0 })).rejects.toMatchObject({ code: 'api.bad-request' })
  await expect(listOrders(merchant(), { cursor: 'a&limit=1' })).rejects.toMatchObject({
    code: 'api.bad-request',
  })
  await expect(listOrders(createClient(shop.address))).rejects.toMatchObject({ code: 'api.unauthorized' })
})
