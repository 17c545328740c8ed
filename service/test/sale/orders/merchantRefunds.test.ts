import {
  createRefund as createRefundThere,
  getRefund as getRefundThere,
  listRefunds as listRefundsThere,
} from 'kassa/api'
import type { CreateRefundBody, Refund } from 'kassa/schema'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Call } from '#base/call.js'
import { mails, orders, webhookEvents } from '#base/db/tables/index.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { readTotals } from '#sale/ledger/totals.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { getOrder } from '#sale/orders/readOrders.js'
import { getRefund, listRefunds } from '#sale/orders/readRefunds.js'
import { resendRefund } from '#sale/orders/resendRefund.js'
import { readOrder } from '#sale/orders/store.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { sellOrder } from '../../helpers/sellOrder.js'

const ada = '0x00000000000000000000000000000000000000ad'
const email = 'ada@example.com'
const unit = 10n ** 16n
const hourMs = 60 * 60_000
const note = 'The delivered tokens stay with their holder.'
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  await world.createCollection({ id: 'cake', price: '0.02' })
  await world.createCollection({ id: 'ada', recipientAddress: ada })
  await createEndpoint(world.deps, {
    projectId: world.projectId,
    url: 'https://shop.example/hook',
    eventTypes: ['orders.refund.succeeded', 'orders.refund.failed'],
  })
})

/** Pays for an order of these collections, and leaves its delivery to be done. */
const pay = async (items: readonly string[], units: bigint, body: Record<string, unknown> = {}) => {
  const lineItems = items.map((id) => ({ collectionLocator: `kassa:${id}` }))
  const { order } = await world.create({ lineItems, ...body })
  chain.pay({ orderId: order.orderId, currency: 'eth', units })
  await world.look()
  return order.orderId
}
/** Sells a tea and a cake, delivers both and sweeps the proceeds. */
const sell = async (body: Record<string, unknown> = {}) => {
  const orderId = await pay(['tea', 'cake'], 3n * unit, body)
  await world.drain()
  expect(chain.sentOf('sweep')).toHaveLength(1)
  return orderId
}
const refund = (orderId: string, body: CreateRefundBody = {}, call: Call = world.serverCall) =>
  createRefund(world.deps, call, { orderId, body })
const balancesOf = async (orderId: string) => (await world.get(orderId)).payment.balances
const refundsOf = async (orderId: string): Promise<Refund[]> =>
  (await listRefunds(world.deps, world.serverCall, { orderId, page: { page: 1, perPage: 100 } })).data
const refundWrites = () =>
  chain.sentOf('refund').map(({ input }) => {
    const { units, recipient, isFromTreasury } = input as Record<string, unknown>
    return { units, recipient, isFromTreasury }
  })
const events = async () =>
  (await database.db.select().from(webhookEvents).orderBy(webhookEvents.createdAt)).map(({ body }) => {
    const { type, data } = JSON.parse(body)
    return { type, orderId: data.orderId, refund: data.refund }
  })
/** Asserts that every base unit is accounted for, in both accounts. */
const expectBalance = async () => {
  expect((await getLedger(world.deps)).differing).toEqual([])
  const { lines } = await readTotals(database.db)
  for (const { received, delivered, open, refunded, claimable, owed } of lines) {
    expect(received).toBe(delivered + open + refunded + claimable + owed)
  }
}

test('default: a sold order is refunded as a whole, from the treasury that has its proceeds', async () => {
  const orderId = await sell()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.03', refunded: '0', refundable: '0.03' })
  const started = await refund(orderId, { reason: 'A mistake of ours' })
  expect(started).toEqual({
    refundId: `refund:${orderId}:0`,
    orderId,
    status: 'pending',
    cause: 'requested',
    reason: 'A mistake of ours',
    amount: '0.03',
    currency: 'eth',
    chain: 'base-sepolia',
    lineItems: [
      { index: 0, amount: '0.01' },
      { index: 1, amount: '0.02' },
    ],
    recipient: payerAddress,
    note,
    createdAt: new Date(nowMs).toISOString(),
  })
  await expectBalance()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.03', refunded: '0.03', refundable: '0' })
  expect((await world.get(orderId)).payment.refunded).toBeUndefined()
  await world.drain()
  expect(refundWrites()).toEqual([{ units: 3n * unit, recipient: payerAddress, isFromTreasury: true }])
  const { phase, payment, lineItems } = await world.get(orderId)
  expect(phase).toBe('completed')
  expect(lineItems.map(({ delivery }) => delivery.status)).toEqual(['completed', 'completed'])
  expect(payment).toMatchObject({ status: 'completed', refunded: { amount: '0.03', currency: 'eth' } })
  const [sent] = await refundsOf(orderId)
  expect(sent).toMatchObject({ status: 'succeeded', txId: payment.refunded?.txId })
  expect(await events()).toEqual([
    { type: 'orders.refund.succeeded', orderId, refund: expect.objectContaining({ status: 'succeeded' }) },
  ])
  await expectBalance()
  expect(await getLedger(world.deps)).toMatchObject({
    totals: [{ received: 3n * unit, delivered: 0n, refunded: 3n * unit, swept: 0n, held: 0n }],
  })
  // The proceeds were swept once, and are not swept again.
  expect(chain.sentOf('sweep')).toHaveLength(1)
})

test('parameters: lineItems', async () => {
  const orderId = await sell()
  const answer = await refund(orderId, { lineItems: [{ index: 1 }] })
  expect(answer).toMatchObject({ amount: '0.02', lineItems: [{ index: 1, amount: '0.02' }] })
  await world.drain()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.03', refunded: '0.02', refundable: '0.01' })
  await expect(refund(orderId, { lineItems: [{ index: 1 }] })).rejects.toMatchObject({
    code: 'conflict',
    message: 'lineItems: There is nothing left of it: 0.01 eth can be refunded now',
  })
  expect(await refund(orderId)).toMatchObject({ amount: '0.01', lineItems: [{ index: 0 }] })
  await world.drain()
  await expectBalance()
})

test('parameters: amount, which is divided among the line items in proportion', async () => {
  const orderId = await sell()
  expect(await refund(orderId, { amount: '0.015' })).toMatchObject({
    amount: '0.015',
    lineItems: [
      { index: 0, amount: '0.005' },
      { index: 1, amount: '0.01' },
    ],
  })
  expect(await refund(orderId, { amount: '0.000000000000000001' })).toMatchObject({
    amount: '0.000000000000000001',
    lineItems: [{ index: 1 }],
  })
  await expect(refund(orderId, { amount: '0.015' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'amount: 0.015 is too much: 0.014999999999999999 eth can be refunded now',
  })
  expect(await refund(orderId, { amount: '0.014999999999999999' })).toMatchObject({ status: 'pending' })
  expect(await balancesOf(orderId)).toMatchObject({ refunded: '0.03', refundable: '0' })
  // Whatever is worth less than its fee waits, as every refund does.
  chain.state.refundFeeWei = 10n
  await world.drain()
  expect((await refundsOf(orderId)).map(({ status }) => status)).toEqual(['succeeded', 'held', 'succeeded'])
  await expectBalance()
})

test('behavior: an excess and an undelivered item were refunded already, and cannot be again', async () => {
  chain.state.refusals.set('mint', 'paused')
  const orderId = await pay(['tea', 'cake'], 4n * unit)
  await world.drain()
  chain.state.refusals.delete('mint')
  // The cake is delivered by the next attempt, and the tea never.
  chain.state.refusals.set(`mint:${orderId}:0`, 'paused')
  for (let hour = 0; hour < 80; hour++) {
    nowMs += hourMs
    await world.drain()
  }
  const { lineItems } = await world.get(orderId)
  expect(lineItems.map(({ delivery }) => delivery.status)).toEqual(['failed', 'completed'])
  expect(await balancesOf(orderId)).toEqual({ captured: '0.04', refunded: '0.02', refundable: '0.02' })
  await expect(refund(orderId, { lineItems: [{ index: 0 }] })).rejects.toMatchObject({
    code: 'conflict',
    message: 'lineItems[0].index: line item 0 was not delivered, so the service refunds it',
  })
  await expect(refund(orderId, { amount: '0.03' })).rejects.toMatchObject({ code: 'conflict' })
  await refund(orderId)
  await world.drain()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.04', refunded: '0.04', refundable: '0' })
  expect((await refundsOf(orderId)).map(({ cause, note: told }) => ({ cause, told }))).toEqual([
    { cause: 'overpaid', told: undefined },
    { cause: 'undelivered', told: undefined },
    { cause: 'requested', told: note },
  ])
  await expectBalance()
})

test('behavior: while a line item is on its way, the order itself pays for what is delivered', async () => {
  chain.state.refusals.set(`mint`, 'paused')
  const orderId = await pay(['tea', 'ada'], 2n * unit)
  await world.drain()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.02', refunded: '0', refundable: '0' })
  await expect(refund(orderId)).rejects.toMatchObject({
    code: 'conflict',
    message:
      'There is nothing left of it: 0 eth can be refunded now. A line item can be refunded once it is delivered',
  })
  await expect(refund(orderId, { lineItems: [{ index: 0 }] })).rejects.toMatchObject({
    code: 'conflict',
    message: 'lineItems[0].index: line item 0 is not delivered yet: refund it afterwards',
  })
  chain.state.refusals.delete('mint')
  chain.state.refusals.set(`mint:${orderId}:0`, 'paused')
  nowMs += hourMs
  await world.drain()
  // Its proceeds have not left the order yet, so the part of a recipient of proceeds can be refunded, too.
  const answer = await refund(orderId, { lineItems: [{ index: 1 }] })
  expect(answer).toMatchObject({ amount: '0.01' })
  chain.state.refusals.clear()
  for (let hour = 0; hour < 30; hour++) {
    nowMs += hourMs
    await world.drain()
  }
  expect(refundWrites()).toEqual([{ units: unit, recipient: payerAddress, isFromTreasury: false }])
  // The recipient of the proceeds gets nothing for a line item that was refunded.
  expect(chain.sentOf('sweep').map(({ key }) => key)).toEqual([`sweep:${orderId}`])
  expect((await world.get(orderId)).phase).toBe('completed')
  await expectBalance()
})

test('error: conflict: proceeds that went to a recipient of the merchant’s are refunded from there', async () => {
  const orderId = await pay(['tea', 'ada'], 2n * unit)
  await world.drain()
  expect(await balancesOf(orderId)).toEqual({ captured: '0.02', refunded: '0', refundable: '0.01' })
  const message = `0.01 eth can be refunded now. The proceeds of the rest went to ${ada}: refund them from there`
  await expect(refund(orderId, { amount: '0.02' })).rejects.toMatchObject({
    code: 'conflict',
    message: `amount: 0.02 is too much: ${message}`,
  })
  await expect(refund(orderId, { lineItems: [{ index: 1 }] })).rejects.toMatchObject({
    code: 'conflict',
    message: `lineItems: There is nothing left of it: ${message}`,
  })
  expect(await refund(orderId)).toMatchObject({ amount: '0.01', lineItems: [{ index: 0 }] })
  await world.drain()
  await expectBalance()
})

describe('error: what cannot be refunded', () => {
  test('an order that is not paid', async () => {
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
    await expect(refund(order.orderId)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The order is not paid',
    })
    expect(await balancesOf(order.orderId)).toBeUndefined()
  })

  test('a payment that the chain has taken back', async () => {
    const orderId = await sell()
    const stored = await readOrder(database.db, orderId)
    const [paid] = stored?.order.payments ?? []
    if (!stored || !paid) throw new Error('there is no payment')
    const payments = [{ ...paid, isLost: true as const }]
    await database.db.update(orders).set({ document: { ...stored.order, payments }, revision: 1000 })
    await expect(refund(orderId)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The blockchain has taken the payment of this order back',
    })
    expect(await balancesOf(orderId)).toBeUndefined()
  })

  test.each([
    [{ amount: '0.0000000000000000001' }, 'amount: eth has 18 decimals at most'],
    [{ lineItems: [{ index: 2 }] }, 'lineItems[0].index: the order has no line item 2'],
    [{ lineItems: [{ index: 1 }, { index: 1 }] }, 'lineItems[1].index: line item 1 is named twice'],
  ])('%j', async (body, message) => {
    const orderId = await sell()
    await expect(refund(orderId, body)).rejects.toMatchObject({ code: 'input-invalid', message })
    expect(await refundsOf(orderId)).toEqual([])
  })

  test('an order of another project, or none', async () => {
    const orderId = await sell()
    const { actor } = world.serverCall
    const call: Call = {
      ...world.serverCall,
      actor: { ...actor, projectId: '00000000-0000-4000-8000-000000000000' },
    }
    const attempts = [
      () => refund(orderId, {}, call),
      () => refund('00000000-0000-4000-8000-000000000001'),
      () => listRefunds(world.deps, call, { orderId, page: { page: 1, perPage: 1 } }),
      () => getRefund(world.deps, call, { orderId, refundId: `refund:${orderId}:0` }),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('error: forbidden: for the buyer, who sees no balances either', async () => {
  const orderId = await sell()
  const secret = world.secretCall(orderId)
  expect((await getOrder(world.deps, secret, { orderId })).payment.balances).toBeUndefined()
  expect(await balancesOf(orderId)).toBeDefined()
  await expect(refund(orderId, {}, secret)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    listRefunds(world.deps, secret, { orderId, page: { page: 1, perPage: 1 } }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    getRefund(world.deps, secret, { orderId, refundId: `refund:${orderId}:0` }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  const clientKey: Call = { ...secret, actor: { ...world.serverCall.actor, kind: 'client-key' } as never }
  await expect(refund(orderId, {}, clientKey)).rejects.toMatchObject({ code: 'forbidden' })
})

test('behavior: killed after the write, it is sent once', async () => {
  const orderId = await sell()
  await refund(orderId)
  let isKilled = false
  chain.state.afterWrite = (key) => {
    if (isKilled || !key.startsWith('refund')) return
    isKilled = true
    throw new Error('killed')
  }
  await expect(world.drain()).rejects.toThrow('killed')
  await world.drain()
  expect(chain.sentOf('refund')).toHaveLength(1)
  expect(await refundsOf(orderId)).toMatchObject([{ status: 'succeeded' }])
  expect(await events()).toHaveLength(1)
  await expectBalance()
})

test('behavior: a payer who cannot receive it claims it, and the merchant hears of both', async () => {
  chain.state.refusing.add(payerAddress)
  const orderId = await sell()
  const { refundId } = await refund(orderId)
  await world.drain()
  await expectBalance()
  expect(await refundsOf(orderId)).toMatchObject([{ status: 'claimable', contract: '0xrouter' }])
  chain.claim(refundId)
  nowMs += hourMs
  await world.drain()
  expect(await refundsOf(orderId)).toMatchObject([{ status: 'succeeded' }])
  expect((await events()).map(({ type, refund: told }) => [type, told.status])).toEqual([
    ['orders.refund.failed', 'claimable'],
    ['orders.refund.succeeded', 'succeeded'],
  ])
  await expectBalance()
})

test('behavior: one that the chain refuses fails after its attempts, stays owed, and is sent again by the operator', async () => {
  chain.state.refusals.set('refund', 'paused')
  const orderId = await sell()
  const { refundId } = await refund(orderId)
  for (let hour = 0; hour < 80; hour++) {
    await world.drain()
    nowMs += hourMs
  }
  expect(await refundsOf(orderId)).toMatchObject([{ status: 'failed' }])
  expect(await balancesOf(orderId)).toMatchObject({ refunded: '0.03', refundable: '0' })
  await expect(refund(orderId)).rejects.toMatchObject({ code: 'conflict' })
  await expectBalance()
  chain.state.refusals.clear()
  await resendRefund(world.deps, { refundId })
  await world.drain()
  expect(chain.sentOf('refund')).toHaveLength(1)
  expect((await events()).map(({ type }) => type)).toEqual([
    'orders.refund.failed',
    'orders.refund.succeeded',
  ])
  await expectBalance()
})

test('behavior: no cap holds a refund by the merchant, and it counts against none', async () => {
  const open = { ...world.deps.config.refunds, perPayerPerHour: 1, perProjectPerHour: 1 }
  Object.assign(world.deps.config, { refunds: open })
  const orderId = await sell()
  for (const amount of ['0.01', '0.01', '0.01']) await refund(orderId, { amount })
  await world.drain()
  expect(chain.sentOf('refund')).toHaveLength(3)
  const late = await pay(['tea'], unit / 2n)
  await world.endQuote(late)
  await world.drain()
  expect((await world.get(late)).payment).toMatchObject({ refunded: { amount: '0.005' } })
})

describe('the e-mail to the buyer', () => {
  const written = async () =>
    (await database.db.select().from(mails)).filter(({ kind }) => kind === 'order-refunded')

  test('default: after the refund is sent, to the address of the receipt, in the language of the order', async () => {
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: email }
    const orderId = await sell({ payment, locale: 'fr-FR' })
    await refund(orderId, { amount: '0.01', reason: 'Broken' })
    expect(await written()).toEqual([])
    await world.drain()
    const [sent] = await refundsOf(orderId)
    expect(await written()).toMatchObject([
      {
        recipient: email,
        locale: 'fr-FR',
        data: { refunded: '0.01 ETH', reason: 'Broken', chain: 'base-sepolia', txId: sent?.txId, orderId },
      },
    ])
  })

  test('behavior: without a receipt it goes to the recipient, but not to that of a gift', async () => {
    const recipient = { email }
    for (const gift of [undefined, { giverName: 'Grace' }]) {
      await refund(
        await pay(['tea'], unit, { recipient, ...(gift && { gift }) }).then(async (orderId) => {
          await world.drain()
          return orderId
        }),
      )
      await world.drain()
      expect(await written()).toMatchObject([{ recipient: email, data: { refunded: '0.01 ETH' } }])
    }
  })

  test('behavior: there is none about a refund by the rules of the service', async () => {
    await pay(['tea'], 2n * unit, { recipient: { email } })
    await world.drain()
    expect(chain.sentOf('refund')).toHaveLength(1)
    expect(await written()).toEqual([])
    expect(await events()).toEqual([])
  })
})

describe('over HTTP', () => {
  const open = async () => {
    const shop = await createShop()
    onTestFinished(() => shop.close())
    const { orderId } = await shop.createOrder()
    await sellOrder(shop.deps, orderId)
    const path = `/api/2022-06-09/orders/${orderId}/refunds`
    const post = async (options: Parameters<typeof shop.send>[2]) => {
      const response = await shop.send('POST', path, options)
      return { status: response.status, body: await response.json() }
    }
    return { shop, orderId, post }
  }

  test('default: through the functions of the library', async () => {
    const { shop, orderId } = await open()
    const { client } = shop
    const body = { lineItems: [{ index: 0 }], reason: 'Broken' }
    const started = await createRefundThere(client, { orderId, body, idempotencyKey: 'one' })
    expect(started).toMatchObject({ status: 'pending', amount: '0.01', reason: 'Broken', note })
    expect(await createRefundThere(client, { orderId, body, idempotencyKey: 'one' })).toEqual(started)
    await expect(createRefundThere(client, { orderId })).rejects.toMatchObject({ code: 'api.conflict' })
    const { data } = await listRefundsThere(client, { orderId })
    // Its job may run meanwhile.
    const { refundId, amount, lineItems, createdAt } = started
    expect(data).toMatchObject([{ refundId, amount, lineItems, createdAt }])
    expect(await getRefundThere(client, { orderId, refundId })).toMatchObject({ refundId, amount })
  })

  test.each([
    ['no body', {}],
    ['an empty object', { body: {} }],
    ['a field that is null', { body: { amount: null } }],
  ])('parameters: %s refunds everything', async (_, options) => {
    const { post } = await open()
    expect(await post(options)).toMatchObject({ status: 201, body: { amount: '0.01', cause: 'requested' } })
  })

  test.each([
    [{ amuont: '0.001' }, 'amuont: not a field that can be given here'],
    [{ amount: 0.001 }, 'amount: expected string, received number'],
    [{ amount: '0' }, 'amount: expected more than 0'],
    [{ amount: '-1' }, 'amount: expected a decimal string such as "0.0125"'],
    [{ lineItems: [] }, 'lineItems: expected at least 1 line item'],
    [{ lineItems: [{ id: 0 }] }, 'lineItems[0].index: required'],
    [{ lineItems: [{ index: 0 }], amount: '0.001' }, 'amount: expected line items or an amount, not both'],
    [{ reason: 'x'.repeat(501) }, 'reason: expected 500 characters or fewer'],
  ])('error: api.bad-request: %j', async (body, message) => {
    const { shop, orderId, post } = await open()
    expect(await post({ body })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    })
    expect((await listRefundsThere(shop.client, { orderId })).data).toEqual([])
  })

  test('behavior: a key that is used again for another amount refunds nothing', async () => {
    const { post } = await open()
    const headers = { 'x-idempotency-key': 'two' }
    const first = await post({ body: { amount: '0.001' }, headers })
    const [again, other] = [
      await post({ body: { amount: '0.001' }, headers }),
      await post({ body: { amount: '0.002' }, headers }),
    ]
    expect(again).toEqual(first)
    expect(other).toMatchObject({ status: 409 })
  })
})

test('behavior: refunds are read one by one and in pages, oldest first', async () => {
  const orderId = await sell()
  for (const amount of ['0.001', '0.002', '0.003']) await refund(orderId, { amount })
  const read = async (page: number, perPage: number) =>
    (await listRefunds(world.deps, world.serverCall, { orderId, page: { page, perPage } })).data.map(
      ({ amount }) => amount,
    )
  expect(await read(1, 2)).toEqual(['0.001', '0.002'])
  expect(await read(2, 2)).toEqual(['0.003'])
  expect(await read(3, 2)).toEqual([])
  const one = await getRefund(world.deps, world.serverCall, { orderId, refundId: `refund:${orderId}:1` })
  expect(one).toMatchObject({ amount: '0.002', createdAt: new Date(nowMs).toISOString() })
  const missing = getRefund(world.deps, world.serverCall, { orderId, refundId: `refund:${orderId}:3` })
  await expect(missing).rejects.toMatchObject({ code: 'not-found' })
})
