import type { OrderEventType } from 'kassa/engine'
import { members, type OrderMetadata } from 'kassa/schema'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { requoteOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)

let nowMs: number
let chain: ReturnType<typeof createFakeChain>
let world: OrderWorld
beforeEach(async () => {
  await clearDatabase(database.db)
  nowMs = Date.parse('2026-01-01T00:00:00Z')
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  // Events are only written: there are no endpoints.
  world.deps.safePost = async () => ({ status: 200 })
  await world.createCollection({ id: 'tea' })
  const shared = { url: 'https://shop.example/', eventTypes: members.webhookEventTypes }
  await createEndpoint(world.deps, { ...shared, projectId: world.projectId })
})

type Written = { type: OrderEventType; body: string }
const written = async (): Promise<Written[]> =>
  (await database.executeSql('select type, body from webhook_events order by created_at, id'))
    .rows as Written[]
/** The types since the last call. Each is checked once. */
const news = async (): Promise<string[]> => {
  const types = (await written()).filter(({ type }) => type.startsWith('orders.')).map(({ type }) => type)
  await database.executeSql('truncate webhook_events cascade')
  return types.sort()
}
const create = async (body: Record<string, unknown> = {}) => {
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, ...body })
  return order.orderId
}
const pay = async (orderId: string, units = 10n ** 16n) => {
  chain.pay({ orderId, currency: 'eth', units })
  await world.look()
}
const requote = (orderId: string, change = {}) =>
  requoteOrder(world.deps, world.serverCall, orderId, () => change)

describe('the written events', () => {
  test('default: bought and delivered; each event contains the order at that step, and no secret', async () => {
    const { order, clientSecret } = await world.create({
      lineItems: { collectionLocator: 'kassa:tea' },
      metadata: { cart: '7' } satisfies OrderMetadata,
    })
    const { orderId } = order
    const [created] = await written()
    expect(JSON.parse(created?.body ?? '')).toEqual({
      type: 'orders.quote.created',
      actionId: orderId,
      startedAt: '2026-01-01T00:00:00.000Z',
      completedAt: '2026-01-01T00:00:00.000Z',
      data: JSON.parse(JSON.stringify(order)),
      resource: `${world.deps.config.publicUrl}/api/2022-06-09/orders/${orderId}`,
      timestamp: nowMs,
    })
    expect(created?.body).not.toContain(clientSecret)
    expect(await news()).toEqual(['orders.quote.created'])

    nowMs += 5_000
    await pay(orderId)
    const bodies = (await written()).map(({ body }) => JSON.parse(body))
    expect(bodies).toHaveLength(2)
    for (const body of bodies) {
      expect(body).toMatchObject({ startedAt: '2026-01-01T00:00:00.000Z', data: { phase: 'delivery' } })
    }
    expect(await news()).toEqual(['orders.delivery.initiated', 'orders.payment.succeeded'])
    await world.drain()
    expect((await written()).map(({ body }) => JSON.parse(body).data)).toContainEqual(
      JSON.parse(JSON.stringify(await world.get(orderId))),
    )
    expect(await news()).toEqual(['orders.delivery.completed'])
  })

  test('behavior: a new quote emits an event for other terms or another price, and for nothing else', async () => {
    const orderId = await create()
    await news()
    nowMs += 1_000
    await requote(orderId)
    expect(await news()).toEqual([])
    await requote(orderId, { locale: 'de-DE' })
    await requote(orderId, { locale: 'de-DE' })
    expect(await news()).toEqual(['orders.quote.updated'])
    await database.executeSql(`update collections set price = '0.02' where id = 'tea'`)
    world.deps.notices.tell('collections', 'tea')
    await requote(orderId)
    expect(await news()).toEqual(['orders.quote.updated'])
    nowMs += 3_600_000
    await world.get(orderId)
    expect(await news()).toEqual([])
    await requote(orderId)
    expect(await news()).toEqual(['orders.quote.updated'])
    await requote(orderId, { recipient: { email: 'a@b.example' } })
    expect(await news()).toEqual(['orders.quote.updated'])
  })

  test('behavior: a refunded payment emits one event, and so do the parts of a price when the quote ends', async () => {
    const orderId = await create()
    await news()
    await pay(orderId, 1n)
    await pay(orderId, 2n)
    expect(await news()).toEqual([])
    chain.pay({ orderId, currency: 'usdc', units: 3n })
    await world.look()
    expect(await news()).toEqual(['orders.payment.failed'])
    await world.endQuote(orderId)
    const [failed] = await written()
    const body = JSON.parse(failed?.body ?? '')
    expect(body).toMatchObject({ data: { payment: { failureReason: { code: 'underpaid' } } } })
    expect(body).not.toHaveProperty('completedAt')
    expect(await news()).toEqual(['orders.payment.failed'])
    await world.look()
    await world.drain()
    expect(await news()).toEqual([])
    await pay(orderId)
    expect(await news()).toEqual(['orders.delivery.initiated', 'orders.payment.succeeded'])
    await pay(orderId)
    expect(await news()).toEqual([])
  })

  test('behavior: a failed delivery emits an event; an order without a delivery never completes it', async () => {
    const orderId = await create()
    await pay(orderId)
    await news()
    chain.state.refusals.set('mint', 'Paused')
    for (let attempt = 0; attempt < 6; attempt++) {
      await world.drain()
      nowMs += 3_600_000
    }
    const types = await news()
    expect(types.filter((type) => type === 'orders.delivery.failed')).toHaveLength(1)
    expect(types).not.toContain('orders.delivery.completed')
    expect((await world.get(orderId)).phase).toBe('completed')
  })

  test('behavior: another project receives nothing', async () => {
    await database.executeSql('delete from webhook_endpoints')
    const [other] = (await database.executeSql(`insert into projects (name) values ('other') returning id`))
      .rows as { id: string }[]
    const endpoint = { url: 'https://other.example/', eventTypes: members.webhookEventTypes }
    await createEndpoint(world.deps, { ...endpoint, projectId: other?.id ?? '' })
    await create({ recipient: { walletAddress: recipientAddress } })
    expect(await written()).toEqual([])
  })
})
