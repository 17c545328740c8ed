import { captureOrder as captureThere, voidOrder as voidThere } from 'kassa/api'
import { CreateOrderAnswer, type EditOrderBody, members, type Order } from 'kassa/schema'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import { mails, webhookEvents } from '#base/db/tables/index.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { listRefunds } from '#sale/orders/readRefunds.js'
import { listDifferingCounts } from '#sale/orders/recountReserved.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { sellOrder } from '../../helpers/sellOrder.js'

const unit = 10n ** 16n
const windowMs = 168 * 60 * 60_000
const startMs = 1_800_000_000_000
const email = 'ada@example.com'
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = startMs
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  await createEndpoint(world.deps, {
    projectId: world.projectId,
    url: 'https://shop.example/hook',
    eventTypes: members.webhookEventTypes,
  })
})

const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, capture: 'manual' }
const create = async (body: Record<string, unknown> = {}) => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    payment,
    ...body,
  })
  return order
}
const settle = async () => {
  await world.look()
  await world.drain()
}
/** An order that is paid and waits for the merchant. */
const hold = async (body: Record<string, unknown> = {}, units = unit) => {
  const { orderId } = await create(body)
  chain.pay({ orderId, currency: 'eth', units })
  await settle()
  return orderId
}
const capture = (orderId: string, call: Call = world.serverCall) =>
  captureOrder(world.deps, call, { orderId })
const release = (orderId: string, call: Call = world.serverCall) => voidOrder(world.deps, call, { orderId })
const refused = (order: Promise<Order>) =>
  order.then(
    () => 'not refused',
    (error) => `${error.code}: ${error.message}`,
  )
const refundsOf = async (orderId: string) =>
  (await listRefunds(world.deps, world.serverCall, { orderId, page: { page: 1, perPage: 10 } })).data
const events = async () =>
  (await database.db.select().from(webhookEvents).orderBy(webhookEvents.createdAt)).map(
    ({ body }) => JSON.parse(body).type as string,
  )
const mailsOf = async () => (await database.db.select().from(mails)).map(({ kind, data }) => ({ kind, data }))
const expectBalance = async () => {
  expect((await getLedger(world.deps)).differing).toEqual([])
  expect(await listDifferingCounts(database.db)).toEqual([])
}
const captureBefore = new Date(startMs + windowMs).toISOString()

test('default: a paid order waits, and is delivered once it is captured', async () => {
  const waiting = await create()
  expect(waiting.payment).toMatchObject({ status: 'awaiting-payment', capture: 'manual' })
  expect(waiting.payment).not.toHaveProperty('captureStatus')
  const orderId = await hold()
  const held = await world.get(orderId)
  // A client that knows no capture reads a paid order on its way.
  expect(held).toMatchObject({
    phase: 'delivery',
    payment: { status: 'completed', captureStatus: 'requires-capture', captureBefore },
    lineItems: [{ delivery: { status: 'in-progress' } }],
  })
  expect(held.payment.preparation?.serializedTransaction).toBeUndefined()
  expect(held.payment.balances).toEqual({ captured: '0', refunded: '0', refundable: '0' })
  expect(chain.sentOf('mint')).toEqual([])
  await expectBalance()
  expect(await capture(orderId)).toMatchObject({ payment: { captureStatus: 'captured' } })
  await expectBalance()
  await world.drain()
  const delivered = await world.get(orderId)
  expect(delivered).toMatchObject({ phase: 'completed', lineItems: [{ delivery: { status: 'completed' } }] })
  expect(delivered.payment.balances).toEqual({ captured: '0.01', refunded: '0', refundable: '0.01' })
  expect(delivered.payment).not.toHaveProperty('captureBefore')
  expect(chain.sentOf('sweep')).toHaveLength(1)
  await expectBalance()
  expect((await events()).slice(-4)).toEqual([
    'orders.payment.succeeded',
    'orders.payment.captured',
    'orders.delivery.initiated',
    'orders.delivery.completed',
  ])
  // The deadline has no effect on it.
  nowMs += 2 * windowMs
  await world.drain()
  expect(await world.get(orderId)).toMatchObject({ payment: { captureStatus: 'captured' } })
  expect(await refundsOf(orderId)).toEqual([])
})

test('default: a void pays the buyer back in full, and releases the supply', async () => {
  await world.createCollection({ id: 'rare', supplyLimit: 3 })
  const lineItems = { collectionLocator: 'kassa:rare', callData: { quantity: 3 } }
  const orderId = await hold({ lineItems }, 4n * unit)
  const rest = await create({ lineItems: { collectionLocator: 'kassa:rare' } })
  expect(rest.lineItems[0]?.quote).toMatchObject({ unavailabilityReason: { code: 'sold-out' } })
  // The excess goes back at once.
  expect(await refundsOf(orderId)).toMatchObject([{ cause: 'overpaid', amount: '0.01' }])
  expect(await release(orderId)).toMatchObject({
    phase: 'completed',
    payment: { captureStatus: 'voided', balances: { captured: '0', refunded: '0.04', refundable: '0' } },
    lineItems: [{ delivery: { status: 'failed' } }],
  })
  await expectBalance()
  await world.drain()
  await expectBalance()
  expect(await refundsOf(orderId)).toMatchObject([
    { cause: 'overpaid' },
    { cause: 'voided', status: 'succeeded', amount: '0.03', recipient: payerAddress },
  ])
  expect((await world.get(orderId)).payment.refunded).toMatchObject({ amount: '0.04' })
  expect(chain.sentOf('mint')).toEqual([])
  expect(chain.sentOf('sweep')).toEqual([])
  expect((await create({ lineItems })).quote.status).toBe('valid')
  expect(
    (await events()).filter((type) => type.startsWith('orders.payment') || type.includes('deliver')),
  ).toEqual(['orders.payment.succeeded', 'orders.payment.voided'])
})

test('default: the deadline pays the buyer back in full', async () => {
  const orderId = await hold()
  nowMs = startMs + windowMs - 1
  await world.drain()
  expect(await world.get(orderId)).toMatchObject({ payment: { captureStatus: 'requires-capture' } })
  nowMs += 1
  await world.drain()
  expect(await world.get(orderId)).toMatchObject({
    phase: 'completed',
    payment: { captureStatus: 'expired', refunded: { amount: '0.01' } },
  })
  expect(await refundsOf(orderId)).toMatchObject([{ cause: 'capture-expired', amount: '0.01' }])
  expect(await events()).toContain('orders.payment.expired')
  await expectBalance()
})

test('behavior: limits of a sale and uses of a promotion code are held, and released by a void', async () => {
  const sale = { maxPerBuyer: { wallet: 1 }, promotionCodes: [{ code: 'HALF', percent: '50', limit: 1 }] }
  await world.createCollection({ id: 'drop', sale })
  const body = { lineItems: { collectionLocator: 'kassa:drop' }, promotionCode: 'HALF' }
  const quoteOf = async () => (await create({ ...body, promotionCode: undefined })).lineItems[0]?.quote
  const orderId = await hold(body, unit / 2n)
  expect(await quoteOf()).toMatchObject({ allowance: { max: 1, left: 0 } })
  await expect(create({ ...body, recipient: { walletAddress: payerAddress } })).rejects.toMatchObject({
    message: expect.stringContaining('has reached its usage limit'),
  })
  await release(orderId)
  await expectBalance()
  expect(await quoteOf()).toMatchObject({ status: 'valid', allowance: { max: 1, left: 1 } })
  expect(await create(body)).toMatchObject({ quote: { promotion: { status: 'applied' } } })
})

test('behavior: the same decision again changes nothing', async () => {
  const [one, other] = [await hold(), await hold()]
  for (let times = 0; times < 2; times++) {
    expect(await capture(one)).toMatchObject({ payment: { captureStatus: 'captured' } })
    expect(await release(other)).toMatchObject({ payment: { captureStatus: 'voided' } })
    await world.drain()
  }
  expect(chain.sentOf('mint')).toHaveLength(1)
  expect(await refundsOf(other)).toHaveLength(1)
})

describe('refusals', () => {
  test('error: conflict, saying what happened', async () => {
    const automatic = await hold({ payment: { ...payment, capture: 'automatic' } })
    expect(await world.get(automatic)).not.toHaveProperty('payment.capture')
    const { orderId: unpaid } = await create()
    const [captured, voided, late] = [await hold(), await hold(), await hold()]
    await capture(captured)
    await release(voided)
    const at = new Date(nowMs).toISOString()
    expect(await refused(capture(automatic))).toBe(
      'conflict: payment.capture: the payment of this order is captured automatically',
    )
    expect(await refused(capture(unpaid))).toBe('conflict: The order is not paid')
    expect(await refused(release(unpaid))).toBe('conflict: The order is not paid')
    expect(await refused(release(captured))).toBe(
      `conflict: The order was captured on ${at}: refund it once it is delivered`,
    )
    expect(await refused(capture(voided))).toBe(
      `conflict: The order was voided on ${at}: its payment goes back to the payer`,
    )
    nowMs += windowMs
    for (const decide of [capture, release]) {
      // Before the service has noticed the deadline, and afterwards.
      const gone = `conflict: The order was not captured before ${captureBefore}: its payment goes back to the payer`
      expect(await refused(decide(late))).toBe(gone)
    }
    await world.drain()
    expect(await refused(capture(late))).toContain('was not captured before')
  })

  test('error: conflict while the payment is not final', async () => {
    chain = createFakeChain({ now: () => nowMs, confirmations: 3 })
    world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
    await world.createCollection({ id: 'tea' })
    const orderId = await hold()
    expect(await refused(capture(orderId))).toBe('conflict: The payment of this order is not final yet')
  })

  test('error: conflict for a refund of what is not captured', async () => {
    const orderId = await hold()
    await expect(createRefund(world.deps, world.serverCall, { orderId, body: {} })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The payment of this order is not captured: void the order to pay it back',
    })
  })

  test('error: not-found, forbidden', async () => {
    const orderId = await hold()
    expect(await refused(capture('b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11'))).toBe('not-found: Not found')
    const secret = world.secretCall(orderId)
    const clientKey: Call = { ...secret, actor: { ...world.serverCall.actor, kind: 'client-key' } as never }
    const without: Call = {
      ...secret,
      actor: { ...world.serverCall.actor, scopes: ['orders.refund'] } as never,
    }
    for (const call of [secret, clientKey, without]) {
      for (const decide of [capture, release])
        expect(await refused(decide(orderId, call))).toMatch(/^forbidden: .*orders\.capture/)
    }
    expect(await world.get(orderId)).toMatchObject({ payment: { captureStatus: 'requires-capture' } })
  })

  test.each(['manual', 'automatic'])('error: forbidden for a client key that sends %s', async (method) => {
    const actor = { ...world.serverCall.actor, kind: 'client-key', allowedOrigins: [] } as never
    const body = { lineItems: { collectionLocator: 'kassa:tea' }, payment: { ...payment, capture: method } }
    await expect(world.create(body, { ...world.serverCall, actor })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('payment.capture'),
    })
  })
})

test('behavior: an edit of the buyer leaves the capture to the merchant', async () => {
  const { orderId } = await create()
  const body: EditOrderBody = { payment: { ...payment, capture: 'automatic' } as EditOrderBody['payment'] }
  await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
  expect(await world.get(orderId)).toMatchObject({ payment: { capture: 'manual' } })
})

test('behavior: the receipt comes with the capture, and an e-mail once a voided payment is back', async () => {
  const withReceipt = { payment: { ...payment, receiptEmail: email } }
  const [kept, voided] = [await hold(withReceipt), await hold(withReceipt)]
  expect(await mailsOf()).toEqual([])
  await capture(kept)
  expect((await mailsOf()).map(({ kind }) => kind)).toEqual(['order-confirmed'])
  await release(voided)
  await world.drain()
  const back = { refunded: '0.01 ETH', isVoided: true, orderId: voided }
  expect((await mailsOf()).at(-1)).toMatchObject({ kind: 'order-refunded', data: back })
})

describe('over HTTP', () => {
  const manual = { ...orderBody, payment: { ...orderBody.payment, capture: 'manual' } }
  const open = async () => {
    const shop = await createShop()
    onTestFinished(() => shop.close())
    const pay = async () => {
      const answer = await shop.send('POST', ordersPath, { body: manual })
      const { orderId } = z.parse(CreateOrderAnswer, await answer.json()).order
      await sellOrder(shop.deps, orderId)
      return orderId
    }
    return { shop, pay }
  }

  test.each([
    ['captured', captureThere, voidThere],
    ['voided', voidThere, captureThere],
  ])('default: %s through the functions of the library', async (captureStatus, call, other) => {
    const { shop, pay } = await open()
    const orderId = await pay()
    const first = await call(shop.client, { orderId, idempotencyKey: 'one' })
    expect(first.payment).toMatchObject({ capture: 'manual', captureStatus })
    expect(await call(shop.client, { orderId, idempotencyKey: 'one' })).toEqual(first)
    expect((await call(shop.client, { orderId })).payment).toMatchObject({ captureStatus })
    await expect(other(shop.client, { orderId })).rejects.toMatchObject({
      code: 'api.conflict',
      message: expect.stringContaining(`The order was ${captureStatus} on`),
    })
  })

  test('error: api.bad-request for another way to capture', async () => {
    const { shop } = await open()
    const body = { ...manual, payment: { ...manual.payment, capture: 'later' } }
    const answer = await shop.send('POST', ordersPath, { body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('payment.capture: expected automatic or manual'),
    })
  })
})
