import {
  createOrder,
  createPaymentLink,
  getPaymentLink,
  listPaymentLinks,
  updatePaymentLink,
} from 'kassa/api'
import { CreateOrderAnswer } from 'kassa/schema'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { apiKeys } from '#base/db/tables/index.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { revokeKey } from '#identity/keys/apiKeys.js'
import { createShop, orderBody, testPayer } from '../../helpers/createShop.js'
import { testOrigin } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { sellOrder } from '../../helpers/sellOrder.js'

const path = '/api/2022-06-09/payment-links'
const item = { collectionLocator: 'kassa:prints' }
const body = { lineItems: item }
const unknown = 'pl_AAAAAAAAAAAAAAAAAAAAAAAA'

const shop = openBeforeAll(() => createShop())

const link = (more: object = {}) => createPaymentLink(shop.client, { body: { ...body, ...more } })
const refusal = async (response: Response): Promise<string> =>
  `${response.status} ${z.parse(z.object({ message: z.string() }), await response.json()).message}`
const order = (id: string, buyer: unknown = {}, headers: Record<string, string> = {}) =>
  shop.send('POST', `/pay/${id}/orders`, { body: buyer, key: null, headers })
const open = async (id: string) => {
  const response = await shop.app.request(`/pay/${id}/link`)
  return z.parse(z.looseObject({ status: z.string() }), await response.json())
}
const placed = async (id: string, buyer?: unknown) => {
  const response = await order(id, buyer)
  expect(response.status).toBe(201)
  return z.parse(CreateOrderAnswer, await response.json())
}

test('default: a link is created, found, listed and changed', async () => {
  const made = await link({ title: 'Prints for all', maxUses: 3, expiresAt: '2099-01-01T00:00:00+01:00' })
  expect(made).toEqual({
    paymentLinkId: expect.stringMatching(/^pl_[\w-]{24}$/),
    url: `${shop.deps.config.publicUrl}/pay/${made.paymentLinkId}`,
    status: 'active',
    title: 'Prints for all',
    lineItems: [{ ...item, quantity: 1 }],
    maxUses: 3,
    uses: { paid: 0, reserved: 0 },
    expiresAt: '2098-12-31T23:00:00.000Z',
    createdAt: expect.any(String),
  })
  const { paymentLinkId } = made
  expect(await getPaymentLink(shop.client, { paymentLinkId })).toEqual(made)
  expect((await listPaymentLinks(shop.client)).data[0]).toEqual(made)
  const change = { maxUses: 'unlimited', expiresAt: 'unlimited', title: 'Prints' } as const
  const { maxUses: _, expiresAt: __, ...rest } = made
  expect(await updatePaymentLink(shop.client, { paymentLinkId, body: change })).toEqual({
    ...rest,
    title: 'Prints',
  })
})

test('behavior: a repeated request with the same key creates one link', async () => {
  const idempotencyKey = 'one-link'
  const first = await createPaymentLink(shop.client, { body, idempotencyKey })
  expect(await createPaymentLink(shop.client, { body, idempotencyKey })).toEqual(first)
})

test('parameters: orderId, whose line items are bought again', async () => {
  const lineItems = [{ ...item, callData: { quantity: 2, note: 'gold' } }, item]
  const { order: bought } = await createOrder(shop.client, {
    body: { ...orderBody, lineItems, payment: { ...orderBody.payment, method: 'base-sepolia' } },
  })
  const made = await createPaymentLink(shop.client, { body: { orderId: bought.orderId } })
  expect(made.lineItems).toEqual([
    { ...item, quantity: 2 },
    { ...item, quantity: 1 },
  ])
  const answer = await placed(made.paymentLinkId)
  expect(answer.order.orderId).not.toBe(bought.orderId)
  expect(answer.order.lineItems.map(({ quantity }) => quantity)).toEqual([2, 1])
})

const past = '2020-01-01T00:00:00Z'

test.each([
  [{}, 'either lineItems or orderId'],
  [{ ...body, orderId: 'x' }, 'either lineItems or orderId'],
  [{ lineItems: [] }, 'lineItems: expected at least 1'],
  [{ lineItems: { collectionLocator: 'other:prints' } }, 'lineItems[0].collectionLocator: expected kassa:'],
  [{ lineItems: { ...item, quantity: 0 } }, 'lineItems[0].quantity: expected 1 or more'],
  [{ lineItems: { ...item, callData: { totalPrice: '0.01' } } }, 'lineItems[0].callData.totalPrice: '],
  [{ ...body, title: '' }, 'title: must not be empty'],
  [{ ...body, title: 'a\u202eb' }, 'title: must not contain'],
  [{ ...body, maxQuantity: 1 }, 'maxQuantity: expected 2 or more'],
  [{ ...body, maxQuantity: 101 }, 'maxQuantity: expected 100 or fewer'],
  [{ lineItems: [item, item], maxQuantity: 2 }, 'maxQuantity: only a link with one line item'],
  [{ lineItems: { ...item, quantity: 5 }, maxQuantity: 4 }, 'maxQuantity: expected 5 or more'],
  [{ ...body, payment: { method: 'base', currency: 'eth' } }, 'payment.method: '],
  [{ ...body, payment: { method: 'base-sepolia', currency: 'doge' } }, 'payment.currency: '],
  [{ ...body, payment: { currency: 'eth' } }, 'payment.method: '],
  [{ ...body, maxUses: 0 }, 'maxUses: expected 1 or more'],
  [{ ...body, maxUses: null }, 'maxUses: null is not a limit'],
  [{ ...body, maxUses: 1.5 }, 'maxUses: expected a whole number'],
  [{ ...body, expiresAt: 'tomorrow' }, 'expiresAt: expected an ISO 8601 time'],
  [{ ...body, expiresAt: null }, 'expiresAt: null is not a limit'],
  [{ ...body, expiresAt: past }, 'expiresAt: expected a time in the future'],
  [{ ...body, successUrl: 'thanks' }, 'successUrl: expected a URL'],
  [{ ...body, successUrl: 'javascript:alert(1)' }, 'successUrl: expected a page of an origin'],
  [{ ...body, successUrl: 'https://user:pw@shop.example/' }, 'successUrl: must not contain a user name'],
  [{ ...body, successUrl: 'https://evil.example/' }, `Allowed: ${testOrigin}`],
  [{ ...body, successUrl: `${testOrigin}.evil.example/` }, 'successUrl: expected a page of an origin'],
  [{ ...body, successUrl: 'http://10.0.0.1/' }, 'successUrl: expected a page of an origin'],
])('error: input-invalid for %j', async (bad, message) => {
  const said = await refusal(await shop.send('POST', path, { body: bad }))
  expect(said).toMatch(/^400 /)
  expect(said).toContain(message)
})

test('error: not-found for goods, orders and links that are not there', async () => {
  const post = async (bad: object) => refusal(await shop.send('POST', path, { body: bad }))
  expect(await post({ lineItems: { collectionLocator: 'kassa:nothing' } })).toMatch(/^404 Collection nothing/)
  expect(await post({ orderId: '00000000-0000-4000-8000-000000000000' })).toBe('404 Order not found')
  expect(await post({ orderId: 'nothing' })).toBe('404 Order not found')
  for (const [method, sent] of [
    ['GET', undefined],
    ['PATCH', { title: 'New' }],
  ] as const) {
    for (const id of [unknown, 'nothing', `${unknown}%00`]) {
      const answer = await shop.send(method, `${path}/${id}`, { body: sent })
      expect(await refusal(answer)).toBe('404 Payment link not found')
    }
  }
})

test('error: input-invalid for goods without a price', async () => {
  const { deps, projectId } = shop
  const gift = { projectId, id: 'gifts', chain: 'base-sepolia' as const, name: 'Gifts', symbol: 'GIFT' }
  await deps.db.transaction((tx) =>
    insertCollection(tx, { ...gift, description: '', imageUrl: 'ipfs://gift' }, deps.now()),
  )
  const sent = { lineItems: { collectionLocator: 'kassa:gifts' } }
  expect(await refusal(await shop.send('POST', path, { body: sent }))).toContain('Gifts has no price')
})

test.each([
  [{}, 'expected at least one of status, title'],
  [{ status: 'ended' }, 'status: expected "active" or "deactivated"'],
  [{ maxUses: null }, 'maxUses: null is not a limit'],
  [{ expiresAt: null }, 'expiresAt: null is not a limit'],
  [{ expiresAt: past }, 'expiresAt: expected a time in the future'],
  [{ title: ' ' }, 'title: must not be empty'],
  [{ successUrl: 'https://evil.example/' }, 'successUrl: expected a page of an origin'],
  [{ lineItems: item }, 'lineItems'],
])('error: input-invalid for the change %j', async (bad, message) => {
  const { paymentLinkId } = await link()
  const said = await refusal(await shop.send('PATCH', `${path}/${paymentLinkId}`, { body: bad }))
  expect(said).toMatch(/^400 /)
  expect(said).toContain(message)
})

test('error: forbidden for a client key', async () => {
  const key = shop.clientKey
  const headers = { origin: testOrigin }
  expect((await shop.send('POST', path, { body, key, headers })).status).toBe(403)
})

test('behavior: the success URL is shown as long as a key allows its origin', async () => {
  const service = await createShop()
  try {
    const made = await createPaymentLink(service.client, {
      body: { ...body, successUrl: `${testOrigin}/thanks?a=1` },
    })
    const shown = async () =>
      (await service.app.request(`/pay/${made.paymentLinkId}/link`)).json() as Promise<object>
    expect(await shown()).toMatchObject({ successUrl: `${testOrigin}/thanks?a=1` })
    const keys = await service.deps.db.select().from(apiKeys)
    for (const { id, kind } of keys) if (kind === 'client') await revokeKey(service.deps, { keyId: id })
    expect(await shown()).not.toHaveProperty('successUrl')
    const removed = await updatePaymentLink(service.client, {
      paymentLinkId: made.paymentLinkId,
      body: { successUrl: null },
    })
    expect(removed).not.toHaveProperty('successUrl')
  } finally {
    await service.close()
  }
})

test('behavior: a stranger orders with the id alone', async () => {
  const { paymentLinkId } = await link({ maxQuantity: 4 })
  expect(await open(paymentLinkId)).toMatchObject({
    status: 'active',
    title: 'Prints',
    maxQuantity: 4,
    lineItems: [{ name: 'Prints', quantity: 1, price: { amount: '0.01', currency: 'eth' } }],
  })
  const recipient = { walletAddress: testPayer }
  const answer = await placed(paymentLinkId, { quantity: 3, recipient, locale: 'de-DE' })
  expect(answer.order).toMatchObject({
    locale: 'de-DE',
    lineItems: [{ quantity: 3 }],
    payment: { method: 'base-sepolia', currency: 'eth' },
    quote: { totalPrice: { amount: '0.03', currency: 'eth' } },
  })
  const headers = { authorization: answer.clientSecret }
  const read = await shop.send('GET', `/api/2022-06-09/orders/${answer.order.orderId}`, {
    key: null,
    headers,
  })
  expect(read.status).toBe(200)
})

test.each([
  [{ quantity: 0 }, '400 quantity: expected 1 or more'],
  [{ quantity: 3 }, '400 quantity: expected 2 or fewer'],
  [{ quantity: '2' }, '400 quantity: expected a whole number'],
  [{ recipient: { email: 'ada' } }, '400 recipient.email'],
  [{ recipient: { email: 'ada@example.com', walletAddress: testPayer } }, '400 recipient: expected either'],
  [{ recipient: { walletAddress: '0x1' } }, '400 recipient.walletAddress'],
  [{ locale: '?' }, '400 locale: '],
])('error: input-invalid for the order %j', async (bad, message) => {
  const { paymentLinkId } = await link({ maxQuantity: 2 })
  expect(await refusal(await order(paymentLinkId, bad))).toContain(message)
})

test('error: a fixed number is not changed, and an unknown link sells nothing', async () => {
  const { paymentLinkId } = await link()
  expect(await refusal(await order(paymentLinkId, { quantity: 1 }))).toMatch(/^400 quantity: .* fixes/)
  expect(await refusal(await order(unknown))).toBe('404 Payment link not found')
  expect((await shop.app.request(`/pay/${unknown}/link`)).status).toBe(404)
  expect((await shop.app.request('/pay/nothing/link')).status).toBe(404)
})

test('behavior: a link ends, is deactivated, and is used up', async () => {
  const service = await createShop({ nowMs: 1_900_000_000_000 })
  try {
    const make = (more: object) => createPaymentLink(service.client, { body: { ...body, ...more } })
    const buy = (id: string) =>
      service.send('POST', `/pay/${id}/orders`, {
        body: { recipient: { walletAddress: testPayer } },
        key: null,
      })
    const statusOf = async (id: string) => {
      const { status } = await getPaymentLink(service.client, { paymentLinkId: id })
      return [status, (await service.app.request(`/pay/${id}`)).status]
    }
    const ending = await make({ expiresAt: new Date(1_900_000_060_000).toISOString() })
    const off = await make({})
    const single = await make({ maxUses: 1 })
    const begun = z.parse(CreateOrderAnswer, await (await buy(off.paymentLinkId)).json())
    const sold = z.parse(CreateOrderAnswer, await (await buy(single.paymentLinkId)).json())
    expect(await refusal(await buy(single.paymentLinkId))).toMatch(/^409 Others are paying/)
    await sellOrder(service.deps, sold.order.orderId)
    expect(await refusal(await buy(single.paymentLinkId))).toBe('409 This payment link is used up')
    expect(await statusOf(single.paymentLinkId)).toEqual(['used-up', 410])

    await updatePaymentLink(service.client, {
      paymentLinkId: off.paymentLinkId,
      body: { status: 'deactivated' },
    })
    expect(await refusal(await buy(off.paymentLinkId))).toBe('409 This payment link was deactivated')
    expect(await statusOf(off.paymentLinkId)).toEqual(['deactivated', 410])
    const refreshed = await service.send('POST', `/api/2022-06-09/orders/${begun.order.orderId}/refresh`, {
      key: null,
      headers: { authorization: begun.clientSecret },
    })
    expect(await refusal(refreshed)).toBe('409 This payment link was deactivated')
    await updatePaymentLink(service.client, { paymentLinkId: off.paymentLinkId, body: { status: 'active' } })
    expect(await statusOf(off.paymentLinkId)).toEqual(['active', 200])

    await service.advance(60_000)
    expect(await refusal(await buy(ending.paymentLinkId))).toBe('409 This payment link has ended')
    expect(await statusOf(ending.paymentLinkId)).toEqual(['ended', 410])
  } finally {
    await service.close()
  }
})

test('behavior: an unpaid order gives its use back, and takes it again only while there is one', async () => {
  const service = await createShop({ nowMs: 1_900_000_000_000 })
  try {
    const { paymentLinkId } = await createPaymentLink(service.client, { body: { ...body, maxUses: 1 } })
    const buy = async () => {
      const sent = { body: { recipient: { walletAddress: testPayer } }, key: null }
      const response = await service.send('POST', `/pay/${paymentLinkId}/orders`, sent)
      return z.parse(CreateOrderAnswer, await response.json())
    }
    const refresh = ({ order: { orderId }, clientSecret }: CreateOrderAnswer) =>
      service.send('POST', `/api/2022-06-09/orders/${orderId}/refresh`, {
        key: null,
        headers: { authorization: clientSecret },
      })
    const first = await buy()
    expect((await refresh(first)).status).toBe(200)
    await service.advance(service.deps.config.quoteTtlMs + 6 * 60_000)
    const second = await buy()
    expect(await refusal(await refresh(first))).toMatch(/^409 Others are paying/)
    expect((await refresh(second)).status).toBe(200)
    const { uses } = await getPaymentLink(service.client, { paymentLinkId })
    expect(uses).toEqual({ paid: 0, reserved: 1 })
  } finally {
    await service.close()
  }
})

test('error: rate-limited for a flood of orders of one link', async () => {
  const { paymentLinkId } = await link()
  const statuses: number[] = []
  for (let count = 0; count < 12; count++) statuses.push((await order(paymentLinkId)).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(201))
  expect(statuses.slice(10)).toEqual([429, 429])
})
