import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import { mails, orders, webhookDeliveries, webhookEndpoints } from '#base/db/tables/index.js'
import { createProject } from '#identity/projects/projects.js'
import { createEndpoint, removeEndpoint } from '#notify/webhooks/endpoints.js'
import { resendOrderWebhook } from '#notify/webhooks/resendOrderWebhook.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { cancelShipment, createShipment } from '#sale/orders/createShipment.js'
import { getSummary } from '#sale/orders/getSummary.js'
import { getTimeline } from '#sale/orders/getTimeline.js'
import { indexOrders } from '#sale/orders/indexOrders.js'
import { listOrders, type OrderFilters } from '#sale/orders/readOrders.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { resendMail } from '#sale/orders/resendMail.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const email = 'Ada@example.com'
const receiptEmail = 'receipts@example.com'
const payment = { method: 'base-sepolia', currency: 'eth', payerAddress }
const unit = 10n ** 16n
const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
/** A caller with every scope, in a project of its own. */
let stranger: Call

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  const projectId = await createProject(database.db, 'stranger')
  stranger = { ...world.serverCall, actor: { ...world.serverCall.actor, projectId } }
})

const create = async (body: Record<string, unknown> = {}) => {
  nowMs += 1_000
  const { order } = await world.create({ lineItems: [{ collectionLocator: 'kassa:tea' }], ...body })
  return order.orderId
}
/** Sells an order to an e-mail user, and delivers it. */
const sell = async () => {
  const orderId = await create({ recipient: { email }, payment: { ...payment, receiptEmail } })
  chain.pay({ orderId, currency: 'eth', units: unit })
  await world.look()
  await world.drain()
  return orderId
}
const find = async (filters: OrderFilters, call = world.serverCall) =>
  (await listOrders(world.deps, call, { limit: 30, ...filters })).data.map(({ orderId }) => orderId)

describe('listOrders', () => {
  test('parameters: search, for everything that a merchant knows of an order', async () => {
    const other = await create({ recipient: { walletAddress: recipientAddress } })
    const orderId = await sell()
    const { lineItems } = await world.get(orderId)
    const paid = (await getTimeline(world.deps, world.serverCall, { orderId })).data.find(
      ({ type }) => type === 'payment',
    )
    const [delivery] = lineItems.map((item) => item.delivery)
    const known = {
      id: orderId,
      'the recipient’s e-mail address': email,
      'the payer’s e-mail address': receiptEmail,
      'the transaction of the payment': paid?.txId,
      'the transaction of the delivery': delivery?.txId,
      'the token': delivery?.tokens?.[0]?.locator,
      'the wallet of an e-mail user': delivery?.recipient?.walletAddress,
    }
    for (const [what, term] of Object.entries(known)) {
      expect(term, what).toBeTruthy()
      for (const written of [term, term?.toUpperCase(), ` ${term?.toLowerCase()} `]) {
        expect(await find({ search: written }), what).toEqual([orderId])
      }
      expect(await find({ search: term }, stranger), what).toEqual([])
    }
    expect(await find({ search: recipientAddress })).toEqual([other])
    expect(await find({ search: payerAddress })).toEqual([orderId, other])
    expect(await find({ search: randomUUID() })).toEqual([])
  })

  test('parameters: search, for a part of what a merchant knows', async () => {
    await world.createCollection({ id: 'dunes', name: 'Dunes at Dusk: 100%' })
    const lineItems = [{ collectionLocator: 'kassa:dunes' }]
    const dunes = await create({ recipient: { walletAddress: recipientAddress }, lineItems })
    const tea = await create({ recipient: { email: 'nada@example.com' } })
    const shorten = (text: string) => `${text.slice(0, 8)}…${text.slice(-6)}`
    for (const [search, found] of [
      ...[dunes.slice(0, 8), dunes.slice(0, 8).toUpperCase(), dunes.slice(0, 13), shorten(dunes)].map(
        (text) => [text, dunes] as const,
      ),
      ...['nada@', 'nada@exam', 'EXAMPLE.com', '@example.com'].map((text) => [text, tea] as const),
      ...['dunes', 'at dusk', 'DUNES AT DUSK: 100%', '100%', 'tea'].map(
        (text) => [text, text === 'tea' ? tea : dunes] as const,
      ),
      [recipientAddress.slice(-8), dunes],
      [shorten(recipientAddress), dunes],
    ] as const) {
      expect(await find({ search }), search).toEqual([found])
      expect(await find({ search }, stranger), search).toEqual([])
    }
    // Neither a whole address of another person, nor a sign that stands for others.
    for (const search of ['ada@example.com', 'nad_@', 'd%k', 'na', `${dunes.slice(0, 8)}-ffff-`]) {
      expect(await find({ search }), search).toEqual([])
    }
    expect(await find({ search: 'nada@', phase: 'completed' })).toEqual([])
    expect(await find({ search: 'nada@', createdBefore: new Date(nowMs) })).toEqual([])
  })

  test('parameters: phase and time, page by page', async () => {
    const first = await create()
    const firstMs = nowMs
    const sold = await sell()
    const last = await create()
    expect(await find({ phase: 'payment' })).toEqual([last, first])
    expect(await find({ phase: 'completed' })).toEqual([sold])
    expect(await find({ createdFrom: new Date(firstMs + 1) })).toEqual([last, sold])
    expect(await find({ createdFrom: new Date(firstMs), createdBefore: new Date(firstMs + 1) })).toEqual([
      first,
    ])
    const filters = { phase: 'payment', limit: 1 } as const
    const page = await listOrders(world.deps, world.serverCall, filters)
    const next = await listOrders(world.deps, world.serverCall, { ...filters, cursor: page.nextCursor })
    expect([page, next].map(({ data }) => data[0]?.orderId)).toEqual([last, first])
    expect(next.nextCursor).toBeUndefined()
  })

  test('behavior: an order whose buyer changes is found by the new address alone', async () => {
    const orderId = await create({ recipient: { email } })
    const recipient = { email: 'grace@example.com' }
    await editOrder(world.deps, world.serverCall, { orderId, body: { recipient } })
    expect(await find({ search: email })).toEqual([])
    expect(await find({ search: 'grace@example.com' })).toEqual([orderId])
  })

  test('behavior: orders of an earlier build are found once they are indexed', async () => {
    const orderId = await create({ recipient: { email } })
    for (let count = 0; count < 120; count++) await create({ recipient: { email } })
    await database.db.update(orders).set({ terms: null })
    expect(await find({ search: email })).toEqual([])
    expect(await indexOrders(database.db)).toBe(121)
    expect(await find({ search: email, createdBefore: new Date(1_800_000_001_001) })).toEqual([orderId])
    expect(await indexOrders(database.db)).toBe(0)
  })
})

describe('getTimeline', () => {
  test('default', async () => {
    await createEndpoint(world.deps, {
      projectId: world.projectId,
      url: 'https://shop.example/hook',
      eventTypes: ['orders.payment.succeeded'],
    })
    const orderId = await sell()
    await createRefund(world.deps, world.serverCall, { orderId, body: { amount: '0.004' } })
    const { data } = await getTimeline(world.deps, world.serverCall, { orderId })
    expect(data).toMatchObject([
      { type: 'created', at: new Date(nowMs).toISOString() },
      { type: 'quote', status: 'valid' },
      expect.anything(),
      expect.anything(),
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ])
    const ofType = (type: string) => data.filter((entry) => entry.type === type)
    expect(ofType('payment')).toEqual([
      {
        type: 'payment',
        at: expect.any(String),
        status: 'confirmed',
        chain: 'base-sepolia',
        txId: expect.stringMatching(/^0x/),
        payer: payerAddress,
        amount: '0.01',
        currency: 'eth',
      },
    ])
    expect(ofType('refund')).toMatchObject([
      { status: 'pending', amount: '0.004', currency: 'eth', refundId: `refund:${orderId}:0` },
    ])
    expect(ofType('mail').map(({ kind, recipient, status }) => [kind, recipient, status])).toEqual([
      ['order-confirmed', receiptEmail, 'pending'],
      ['order-delivered', email, 'pending'],
    ])
    expect(ofType('webhook')).toMatchObject([
      { kind: 'orders.payment.succeeded', endpointId: expect.any(String) },
    ])
    expect(data.map(({ at }) => at)).toEqual(data.map(({ at }) => at).toSorted())
  })

  test('error: not-found: an unknown order, and one of another project', async () => {
    const orderId = await create()
    for (const id of [randomUUID(), 'nothing']) {
      await expect(getTimeline(world.deps, world.serverCall, { orderId: id })).rejects.toMatchObject({
        code: 'not-found',
      })
    }
    await expect(getTimeline(world.deps, stranger, { orderId })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('error: forbidden: the holder of the client secret', async () => {
    const orderId = await create()
    await expect(getTimeline(world.deps, world.secretCall(orderId), { orderId })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('resendMail', () => {
  const listMails = () => database.db.select().from(mails).orderBy(mails.createdAt, mails.id)

  test('default', async () => {
    const orderId = await sell()
    const mail = (await listMails()).find(({ kind }) => kind === 'order-delivered')
    if (!mail) throw new Error('there is no mail')
    await database.db.update(mails).set({ sentAt: new Date(nowMs) })
    nowMs += 60_000
    const before = world.queue.length
    const resent = await resendMail(world.deps, world.serverCall, { orderId, mailId: mail.id })
    expect(resent).toEqual({ mailId: expect.any(String), kind: 'order-delivered', recipient: email })
    expect((await listMails()).find(({ id }) => id === resent.mailId)).toEqual({
      ...mail,
      id: resent.mailId,
      createdAt: new Date(nowMs),
      sentAt: null,
    })
    expect(world.queue.slice(before)).toMatchObject([{ name: 'mails.send', data: { mailId: resent.mailId } }])
  })

  test('error: not-found: of another order, another project, or no mail at all', async () => {
    const orderId = await sell()
    const other = await create()
    const [mail] = await listMails()
    const mailId = mail?.id ?? ''
    const attempts = [
      [world.serverCall, { orderId: other, mailId }],
      [stranger, { orderId, mailId }],
      [world.serverCall, { orderId, mailId: randomUUID() }],
      [world.serverCall, { orderId, mailId: 'nothing' }],
    ] as const
    const count = (await listMails()).length
    for (const [call, input] of attempts) {
      await expect(resendMail(world.deps, call, input)).rejects.toMatchObject({ code: 'not-found' })
    }
    expect(await listMails()).toHaveLength(count)
  })
})

describe('resendOrderWebhook', () => {
  const listSent = async () =>
    (await database.db.select().from(webhookDeliveries)).map(({ endpointId, status, round, attempts }) => ({
      endpointId,
      status,
      round,
      attempts,
    }))
  /** An order whose event two endpoints did not receive. */
  const sellUnheard = async () => {
    const eventTypes = ['orders.payment.succeeded'] as const
    const register = (url: string) =>
      createEndpoint(world.deps, { projectId: world.projectId, url, eventTypes })
    const [one, two] = [await register('https://one.example'), await register('https://two.example')]
    const orderId = await sell()
    await database.db.update(webhookDeliveries).set({ status: 'failed', attempts: 7 })
    const { data } = await getTimeline(world.deps, world.serverCall, { orderId })
    const eventId = data.find(({ type }) => type === 'webhook')?.eventId ?? ''
    return { orderId, eventId, one: one.id, two: two.id }
  }
  const resend = (input: { orderId: string; eventId: string }, body = {}, call = world.serverCall) =>
    resendOrderWebhook(world.deps, call, { ...input, body })

  test('default: to all its endpoints, or to one, in a new round', async () => {
    const { orderId, eventId, one, two } = await sellUnheard()
    const before = world.queue.length
    const type = 'orders.payment.succeeded'
    expect(await resend({ orderId, eventId }, { endpointId: one })).toEqual({
      eventId,
      type,
      endpointIds: [one],
    })
    expect(world.queue.slice(before)).toMatchObject([
      { name: 'webhooks.send', data: { eventId, endpointId: one, round: 2, attempt: 1 } },
    ])
    expect(await listSent()).toEqual(
      expect.arrayContaining([
        { endpointId: one, status: 'pending', round: 2, attempts: 0 },
        { endpointId: two, status: 'failed', round: 1, attempts: 7 },
      ]),
    )
    expect((await resend({ orderId, eventId })).endpointIds).toEqual([one, two].sort())
  })

  test('error: not-found, and nothing is sent', async () => {
    const { orderId, eventId, one, two } = await sellUnheard()
    const other = await create()
    const attempts = [
      [world.serverCall, { orderId: other, eventId }, {}],
      [stranger, { orderId, eventId }, {}],
      [world.serverCall, { orderId, eventId: randomUUID() }, {}],
      [world.serverCall, { orderId, eventId: 'nothing' }, {}],
      [world.serverCall, { orderId, eventId }, { endpointId: randomUUID() }],
    ] as const
    const before = await listSent()
    for (const [call, input, body] of attempts) {
      await expect(resend(input, body, call)).rejects.toMatchObject({ code: 'not-found' })
    }
    const weak = { ...world.serverCall, actor: { ...world.serverCall.actor, scopes: [] } } as Call
    await expect(resend({ orderId, eventId }, {}, weak)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await listSent()).toEqual(before)
    for (const endpointId of [one, two]) await removeEndpoint(world.deps, { endpointId })
    await expect(resend({ orderId, eventId })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('getSummary', () => {
  const nothing = {
    captures: [],
    refunds: [],
    webhooks: [],
    failingWebhooks: [],
    parcels: [],
    deliveries: [],
    mails: [],
  }
  const summarize = (call = world.serverCall, since = new Date(1_800_000_000_000)) =>
    getSummary(world.deps, call, { since })

  test('default', async () => {
    await create()
    await sell()
    const sold = await sell()
    expect(await summarize()).toEqual({
      since: '2027-01-15T08:00:00.000Z',
      orders: { quote: 0, payment: 1, delivery: 0, completed: 2 },
      sales: [
        { chain: 'base-sepolia', currency: 'eth', amount: '0.02', refunded: '0', net: '0.02', orders: 2 },
      ],
      attention: nothing,
    })
    const { createdAt } = (await database.db.select().from(orders).where(eq(orders.id, sold)))[0] ?? {}
    expect(await summarize(world.serverCall, createdAt)).toMatchObject({
      orders: { payment: 0, completed: 1 },
      sales: [{ amount: '0.01', orders: 1 }],
    })
  })

  test('behavior: payments that wait for their capture, the first to go back first', async () => {
    const hold = async () => {
      const orderId = await create({ payment: { ...payment, capture: 'manual' } })
      chain.pay({ orderId, currency: 'eth', units: unit })
      await world.look()
      return orderId
    }
    const [first, second, captured] = [await hold(), await hold(), await hold()]
    await captureOrder(world.deps, world.serverCall, { orderId: captured })
    const { captures } = (await summarize()).attention
    expect(captures).toEqual([
      { orderId: first, captureBefore: (await world.get(first)).payment.captureBefore },
      { orderId: second, captureBefore: (await world.get(second)).payment.captureBefore },
    ])
    expect(captures[0]?.captureBefore).toMatch(/^2027-01-22T/)
    expect((await summarize(stranger)).attention.captures).toEqual([])
  })

  test('behavior: what needs a person, in this project alone', async () => {
    await createEndpoint(world.deps, {
      projectId: world.projectId,
      url: 'https://shop.example/hook',
      eventTypes: ['orders.payment.succeeded'],
    })
    const orderId = await sell()
    await createRefund(world.deps, world.serverCall, { orderId, body: {} })
    await database.db.execute(sql`update refunds set status = 'held', failure = 'over the cap'`)
    await database.db.update(webhookDeliveries).set({ status: 'failed' })
    expect((await summarize()).attention).toEqual({
      ...nothing,
      refunds: [{ orderId, status: 'held', reason: 'over the cap' }],
      webhooks: [{ endpointId: expect.any(String), url: 'https://shop.example/hook', failed: 1 }],
    })
    expect(await summarize(stranger)).toEqual({
      since: '2027-01-15T08:00:00.000Z',
      orders: { quote: 0, payment: 0, delivery: 0, completed: 0 },
      sales: [],
      attention: nothing,
    })
  })

  test('behavior: what is refunded is no longer net, and what is not captured or is voided is no sale', async () => {
    const hold = async () => {
      const orderId = await create({ payment: { ...payment, capture: 'manual' } })
      chain.pay({ orderId, currency: 'eth', units: unit })
      await world.look()
      return orderId
    }
    const [kept, part, whole] = [await sell(), await sell(), await sell()]
    expect(new Set([kept, part, whole]).size).toBe(3)
    await createRefund(world.deps, world.serverCall, { orderId: part, body: { amount: '0.004' } })
    await createRefund(world.deps, world.serverCall, { orderId: whole, body: {} })
    const [captured, voided] = [await hold(), await hold(), await hold()]
    await captureOrder(world.deps, world.serverCall, { orderId: captured })
    await voidOrder(world.deps, world.serverCall, { orderId: voided })
    await world.drain()
    expect((await summarize()).sales).toEqual([
      { chain: 'base-sepolia', currency: 'eth', amount: '0.04', refunded: '0.014', net: '0.026', orders: 4 },
    ])
  })

  test('behavior: what was paid too much and goes back is no part of the sales', async () => {
    const orderId = await create({ recipient: { email }, payment })
    chain.pay({ orderId, currency: 'eth', units: unit * 3n })
    await world.look()
    await world.drain()
    expect((await summarize()).sales).toMatchObject([{ amount: '0.01', refunded: '0', net: '0.01' }])
  })

  test('behavior: parcels that are not shipped, but none that is, that is refunded, or that is not paid', async () => {
    const recipient = { email, physicalAddress }
    const lineItems = [{ collectionLocator: 'kassa:tea' }, { collectionLocator: 'kassa:tea' }]
    const order = async (more = {}) => {
      const orderId = await create({ recipient, lineItems, payment: { ...payment, ...more } })
      chain.pay({ orderId, currency: 'eth', units: unit * 2n })
      await world.look()
      await world.drain()
      return orderId
    }
    await create({ recipient, payment })
    await order({ capture: 'manual' })
    const [none, half, all, refunded] = [await order(), await order(), await order(), await order()]
    const ship = (orderId: string, indexes: number[]) =>
      createShipment(world.deps, world.serverCall, {
        orderId,
        body: { carrier: 'DHL', lineItems: indexes.map((index) => ({ index })) },
      })
    await ship(half, [1])
    await ship(all, [0, 1])
    await createRefund(world.deps, world.serverCall, { orderId: refunded, body: {} })
    const both = [
      { orderId: none, lineItems: 2 },
      { orderId: half, lineItems: 1 },
    ]
    expect((await summarize()).attention.parcels).toEqual(both)
    const { shipmentId } = await ship(half, [0])
    expect((await summarize()).attention.parcels).toEqual(both.slice(0, 1))
    await cancelShipment(world.deps, world.serverCall, { orderId: half, shipmentId, body: {} })
    expect((await summarize()).attention.parcels).toEqual(both)
    expect((await summarize(stranger)).attention).toEqual(nothing)
  })

  test('behavior: a delivery that the chain refused three times', async () => {
    const orderId = await create({ recipient: { email }, payment })
    const attempt = (number: number) =>
      database.db.execute(sql`
        update orders set phase = 'delivery', document = jsonb_set(
          jsonb_set(document, '{lineItems,0,delivery,status}', '"in-progress"'),
          '{lineItems,0,delivery,attempt}', ${`${number}`}::jsonb
        ) where id = ${orderId}`)
    await attempt(3)
    expect((await summarize()).attention.deliveries).toEqual([])
    await attempt(4)
    expect((await summarize()).attention).toEqual({ ...nothing, deliveries: [{ orderId, attempts: 3 }] })
    expect((await summarize(stranger)).attention).toEqual(nothing)
  })

  test('behavior: an endpoint that refused an event three times, and is enabled', async () => {
    const { id: endpointId } = await createEndpoint(world.deps, {
      projectId: world.projectId,
      url: 'https://shop.example/hook',
      eventTypes: ['orders.payment.succeeded'],
    })
    await sell()
    const attempts = (number: number) =>
      database.db.update(webhookDeliveries).set({ status: 'pending', attempts: number })
    await attempts(2)
    expect((await summarize()).attention.failingWebhooks).toEqual([])
    await attempts(3)
    const failing = [{ endpointId, url: 'https://shop.example/hook', waiting: 1 }]
    expect((await summarize()).attention).toEqual({ ...nothing, failingWebhooks: failing })
    expect((await summarize(stranger)).attention).toEqual(nothing)
    await database.db.update(webhookEndpoints).set({ disabledAt: new Date(nowMs) })
    expect((await summarize()).attention).toEqual(nothing)
  })

  test('behavior: an e-mail that is not sent after an hour, unless a copy of it is', async () => {
    const orderId = await sell()
    await database.db.update(mails).set({ sentAt: null })
    expect((await summarize()).attention.mails).toEqual([])
    nowMs += 61 * 60_000
    const unsent = (await summarize()).attention.mails ?? []
    expect(unsent).toMatchObject([
      { orderId, kind: 'order-confirmed', recipient: receiptEmail },
      { orderId, kind: 'order-delivered', recipient: email },
    ])
    expect((await summarize(stranger)).attention).toEqual(nothing)
    const [first] = await database.db.select().from(mails).where(eq(mails.kind, 'order-confirmed'))
    await resendMail(world.deps, world.serverCall, { orderId, mailId: first?.id ?? '' })
    const sentAt = new Date(nowMs)
    await database.db.update(mails).set({ sentAt }).where(eq(mails.createdAt, sentAt))
    expect((await summarize()).attention.mails).toEqual(unsent.slice(1))
    nowMs += 8 * 24 * 60 * 60_000
    expect((await summarize()).attention.mails).toEqual([])
  })
})
