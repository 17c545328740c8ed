import { randomUUID } from 'node:crypto'
import { cancelShipment as cancelThere, createShipment as shipThere } from 'kassa/api'
import { CreateOrderAnswer, members, OrderShipments } from 'kassa/schema'
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import { mails, webhookEvents } from '#base/db/tables/index.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { cancelShipment, createShipment } from '#sale/orders/createShipment.js'
import { getTimeline } from '#sale/orders/getTimeline.js'
import { getOrder } from '#sale/orders/readOrders.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { sellOrder } from '../../helpers/sellOrder.js'

const unit = 10n ** 16n
const email = 'ada@example.com'
const physicalAddress = {
  name: 'Ada',
  line1: 'Sand 1',
  city: 'Dunes',
  postalCode: '12345',
  country: 'DE',
}
const trackingUrl = 'https://carrier.example/parcels/42'
const parcel = { carrier: 'DHL', trackingNumber: '42', trackingUrl }
const two = [{ collectionLocator: 'kassa:tea' }, { collectionLocator: 'kassa:cups' }]
const payment = { method: 'base-sepolia', currency: 'eth', payerAddress }
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  for (const id of ['tea', 'cups']) await world.createCollection({ id })
  await createEndpoint(world.deps, {
    projectId: world.projectId,
    url: 'https://shop.example/hook',
    eventTypes: members.webhookEventTypes,
  })
})

const create = async (body: Record<string, unknown> = {}) => {
  const recipient = { email, physicalAddress }
  const { order } = await world.create({ recipient, lineItems: two, payment, ...body })
  return order.orderId
}
const sell = async (body: Record<string, unknown> = {}) => {
  const orderId = await create(body)
  chain.pay({ orderId, currency: 'eth', units: 2n * unit })
  await world.look()
  await world.drain()
  return orderId
}
const ship = (orderId: string, body: Record<string, unknown> = {}, call: Call = world.serverCall) =>
  createShipment(world.deps, call, { orderId, body: { ...parcel, ...body } })
const unship = (orderId: string, shipmentId: string, body = {}, call: Call = world.serverCall) =>
  cancelShipment(world.deps, call, { orderId, shipmentId, body })
const shipmentsOf = async (orderId: string, call: Call = world.serverCall) =>
  z.parse(OrderShipments, await getOrder(world.deps, call, { orderId })).shipments
const eventsOf = async (prefix: string) =>
  (await database.db.select().from(webhookEvents).orderBy(webhookEvents.createdAt))
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type.startsWith(prefix))
const mailsOf = async () =>
  (await database.db.select().from(mails).orderBy(mails.createdAt)).filter(({ kind }) => /ship/.test(kind))

test('default: the order, the webhook, the mail and the timeline tell of it', async () => {
  const orderId = await sell()
  expect(await world.get(orderId)).not.toHaveProperty('shipments')
  const first = await ship(orderId, { lineItems: [{ index: 1 }] })
  const shippedAt = new Date(nowMs).toISOString()
  expect(first).toEqual({
    shipmentId: expect.any(String),
    orderId,
    status: 'shipped',
    ...parcel,
    lineItems: [{ index: 1 }],
    shippedAt,
  })
  nowMs += 1_000
  const rest = await ship(orderId, { trackingUrl: undefined, trackingNumber: undefined })
  expect(rest).toMatchObject({ lineItems: [{ index: 0 }] })
  expect(rest).not.toHaveProperty('trackingUrl')
  expect(await shipmentsOf(orderId)).toEqual([first, rest])
  expect(await shipmentsOf(orderId, world.secretCall(orderId))).toEqual([first, rest])
  expect(await eventsOf('orders.ship')).toMatchObject([
    { type: 'orders.shipped', data: { orderId, shipments: [first] } },
    { type: 'orders.shipped', data: { orderId, shipments: [first, rest] } },
  ])
  expect(await mailsOf()).toMatchObject([
    {
      kind: 'order-shipped',
      recipient: email,
      orderId,
      data: { shipped: ['cups'], carrier: 'DHL', trackingNumber: '42', trackingUrl, orderId },
    },
    { kind: 'order-shipped', data: { shipped: ['tea'], trackingNumber: '' } },
  ])
  const { data } = await getTimeline(world.deps, world.serverCall, { orderId })
  expect(data.filter(({ type }) => type === 'shipment')).toEqual([
    { type: 'shipment', at: shippedAt, status: 'shipped', shipmentId: first.shipmentId },
    expect.objectContaining({ shipmentId: rest.shipmentId }),
  ])
})

test('default: a correction stays in the order, is told, and lets the line items be shipped again', async () => {
  const orderId = await sell()
  const { shipmentId } = await ship(orderId)
  nowMs += 1_000
  const cancelledAt = new Date(nowMs).toISOString()
  const reason = 'Still in the shop'
  const ended = await unship(orderId, shipmentId.toUpperCase(), { reason })
  expect(ended).toMatchObject({ shipmentId, status: 'cancelled', cancelledAt, reason })
  nowMs += 1_000
  expect(await unship(orderId, shipmentId, { reason: 'again' })).toEqual(ended)
  const again = await ship(orderId)
  expect(await shipmentsOf(orderId)).toEqual([ended, again])
  const [forBuyer] = (await shipmentsOf(orderId, world.secretCall(orderId))) ?? []
  expect(forBuyer).toMatchObject({ status: 'cancelled' })
  expect(forBuyer).not.toHaveProperty('reason')
  expect((await eventsOf('orders.ship')).map(({ type }) => type)).toEqual([
    'orders.shipped',
    'orders.shipment.cancelled',
    'orders.shipped',
  ])
  expect((await mailsOf()).map(({ kind }) => kind)).toEqual([
    'order-shipped',
    'shipment-cancelled',
    'order-shipped',
  ])
  const { data } = await getTimeline(world.deps, world.serverCall, { orderId })
  expect(data.filter(({ type }) => type === 'shipment').map(({ status }) => status)).toEqual([
    'shipped',
    'cancelled',
    'shipped',
  ])
})

test('behavior: who paid is told, if the recipient has no e-mail address', async () => {
  const recipient = { walletAddress: payerAddress, physicalAddress }
  await ship(await sell({ recipient, payment: { ...payment, receiptEmail: 'payer@example.com' } }))
  await ship(await sell({ recipient }))
  expect(await mailsOf()).toMatchObject([{ recipient: 'payer@example.com' }])
})

test('behavior: what costs nothing is shipped too', async () => {
  await world.createCollection({ id: 'gift', price: '0' })
  const orderId = await create({ lineItems: [{ collectionLocator: 'kassa:gift' }] })
  expect(await ship(orderId)).toMatchObject({ status: 'shipped' })
})

describe('refusals', () => {
  const refusal = (run: Promise<unknown>) =>
    run.then(
      () => 'not refused',
      ({ code, message }) => `${code}: ${message}`,
    )

  test('error: conflict for an order that is not paid, not captured, or has no address', async () => {
    expect(await refusal(ship(await create()))).toBe('conflict: The order is not paid')
    expect(await refusal(ship(await sell({ recipient: { email } })))).toBe(
      'conflict: The order has no shipping address',
    )
    const held = { payment: { ...payment, capture: 'manual' } }
    const [one, other] = [await sell(held), await sell(held)]
    expect(await refusal(ship(one))).toBe(
      'conflict: The payment of this order is not captured: capture it before you ship',
    )
    await captureOrder(world.deps, world.serverCall, { orderId: one })
    expect(await refusal(ship(one))).toBe('not refused')
    await voidOrder(world.deps, world.serverCall, { orderId: other })
    expect(await refusal(ship(other))).toMatch(/^conflict: Every line item of this order is shipped/)
    expect(await refusal(ship(other, { lineItems: [{ index: 0 }] }))).toBe(
      'conflict: lineItems[0].index: line item 0 was not delivered, so its price is refunded',
    )
    expect(await mailsOf()).toHaveLength(1)
  })

  test('error: conflict for a line item that is shipped already', async () => {
    const orderId = await sell()
    const { shipmentId } = await ship(orderId, { lineItems: [{ index: 0 }] })
    expect(await refusal(ship(orderId, { lineItems: [{ index: 1 }, { index: 0 }] }))).toBe(
      `conflict: lineItems[1].index: line item 0 is in the shipment ${shipmentId}: cancel that one first`,
    )
    await ship(orderId)
    expect(await refusal(ship(orderId))).toMatch(/^conflict: Every line item of this order is shipped/)
    expect(await shipmentsOf(orderId)).toHaveLength(2)
  })

  test('error: conflict for more shipments than an answer can hold', async () => {
    const orderId = await sell()
    for (let count = 0; count < 100; count++) await unship(orderId, (await ship(orderId)).shipmentId)
    expect(await refusal(ship(orderId))).toMatch(/^conflict: The order has 100 shipments/)
  })

  test('error: input-invalid, naming the field', async () => {
    const orderId = await sell()
    expect(await refusal(ship(orderId, { lineItems: [{ index: 7 }] }))).toBe(
      'input-invalid: lineItems[0].index: the order has no line item 7',
    )
    expect(await refusal(ship(orderId, { lineItems: [{ index: 0 }, { index: 0 }] }))).toBe(
      'input-invalid: lineItems[1].index: line item 0 is named twice',
    )
  })

  test('error: not-found and forbidden', async () => {
    const orderId = await sell()
    const { shipmentId } = await ship(orderId)
    expect(await refusal(ship(randomUUID()))).toBe('not-found: Not found')
    expect(await refusal(unship(orderId, randomUUID()))).toBe('not-found: Not found')
    expect(await refusal(unship(await sell(), shipmentId))).toBe('not-found: Not found')
    const { actor } = world.serverCall
    const stranger = { ...world.serverCall, actor: { ...actor, projectId: randomUUID() } }
    const weak = { ...world.serverCall, actor: { ...actor, scopes: ['orders.read'] } } as Call
    const asClient = { ...world.serverCall, actor: { ...actor, kind: 'client-key' } } as Call
    for (const call of [stranger, weak, asClient, world.secretCall(orderId)]) {
      const expected = call === stranger ? /^not-found/ : /^forbidden: .*orders\.ship/
      expect(await refusal(ship(orderId, {}, call))).toMatch(expected)
      expect(await refusal(unship(orderId, shipmentId, {}, call))).toMatch(expected)
    }
    expect(await shipmentsOf(orderId)).toMatchObject([{ status: 'shipped' }])
  })
})

describe('over HTTP', () => {
  const shop = openBeforeAll(createShop)
  const sellThere = async () => {
    const recipient = { email, physicalAddress }
    const answer = await shop.send('POST', ordersPath, { body: { ...orderBody, recipient } })
    const { order } = z.parse(CreateOrderAnswer, await answer.json())
    await sellOrder(shop.deps, order.orderId)
    return order.orderId
  }

  test('default: through the functions of the library, once under one key', async () => {
    const orderId = await sellThere()
    const call = { orderId, body: parcel, idempotencyKey: 'one' }
    const first = await shipThere(shop.client, call)
    expect(await shipThere(shop.client, call)).toEqual(first)
    await expect(shipThere(shop.client, { orderId, body: parcel })).rejects.toMatchObject({
      code: 'api.conflict',
    })
    const { shipmentId } = first
    expect(await cancelThere(shop.client, { orderId, shipmentId })).toMatchObject({ status: 'cancelled' })
  })

  test.each([
    ['body: required', undefined],
    ['carrier: required', { trackingNumber: '42' }],
    ['carrier: expected the name of a carrier', { carrier: ' ' }],
    ['carrier: expected 100 characters or fewer', { carrier: 'x'.repeat(101) }],
    ['trackingNumber: expected a tracking number', { ...parcel, trackingNumber: '' }],
    ['trackingUrl: expected an https:// URL', { ...parcel, trackingUrl: 'http://carrier.example/42' }],
    ['trackingUrl: expected an https:// URL', { ...parcel, trackingUrl: 'javascript:alert(1)' }],
    ['trackingUrl: expected an https:// URL', { ...parcel, trackingUrl: 'https://a:b@carrier.example/42' }],
    ['trackingUrl: expected an https:// URL', { ...parcel, trackingUrl: 'https://carrier.example/4 2' }],
    ['trackingUrl: expected 2048', { ...parcel, trackingUrl: `${trackingUrl}${'x'.repeat(2048)}` }],
    ['lineItems: expected at least 1 line item', { ...parcel, lineItems: [] }],
    ['lineItems[0].index: expected 0 or more', { ...parcel, lineItems: [{ index: -1 }] }],
    ['lineItem: not a field that can be given here', { ...parcel, lineItem: { index: 0 } }],
  ])('error: 400 %s', async (message, body) => {
    const orderId = await sellThere()
    const answer = await shop.send('POST', `${ordersPath}/${orderId}/shipments`, { body })
    expect(await answer.json()).toMatchObject({ error: true, message: expect.stringContaining(message) })
    expect(answer.status).toBe(400)
  })
})
