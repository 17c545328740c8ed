import type { SaleRules } from 'kassa/engine'
import type { EditOrderBody } from 'kassa/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { mails } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { captureOrder } from '#sale/orders/captureOrder.js'
import { listDifferingCounts } from '#sale/orders/recountReserved.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const unit = 10n ** 16n
const other = '0x00000000000000000000000000000000000000cc'

describe.each(databaseKinds)('on $name', (kind) => {
  let nowMs: number
  let database: OpenDatabase
  let fake: FakeChain
  let world: OrderWorld

  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    await database.executeSql(
      'truncate orders, collections, payments, refunds, chain_cursors, sale_counts, mails cascade',
    )
    fake = createFakeChain({ now: () => nowMs })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
  })

  const give = (sale?: SaleRules, more: object = {}) =>
    world.createCollection({ id: 'gift', price: '0', ...(sale && { sale }), ...more })
  const free = { method: 'base-sepolia' as const, currency: 'eth' }
  const create = async (body: Record<string, unknown> = {}, quantity = 1) => {
    const lineItems = { collectionLocator: 'kassa:gift', callData: { quantity } }
    return (await world.create({ lineItems, payment: free, ...body })).order
  }
  const edit = (orderId: string, body: EditOrderBody = {}) =>
    editOrder(world.deps, world.secretCall(orderId), { orderId, body })
  const delivered = async (orderId: string) => {
    await world.drain()
    return world.get(orderId)
  }
  const expectBalance = async () => {
    expect((await getLedger(world.deps)).differing).toEqual([])
    expect(await listDifferingCounts(database.db)).toEqual([])
  }
  const claimed = {
    phase: 'delivery',
    payment: { status: 'completed' },
    lineItems: [{ delivery: { status: 'in-progress' } }],
  }
  const waiting = { phase: 'payment', payment: { status: 'awaiting-payment' } }

  test('behavior: the check before a signature takes a claimed order for due', async () => {
    // The outbox runs it in the transaction that signs. The fake chain signs nothing.
    let checks = 0
    const port: ChainPort = {
      ...fake.port,
      mint: async (key, input, terms) => {
        await database.db.transaction(async (tx) => terms?.assertDue?.(tx))
        checks += 1
        return fake.port.mint(key, input, terms)
      },
    }
    world = await createOrderWorld({ db: database.db, chains: [port], now: () => nowMs })
    await give()
    const { orderId } = await create()
    expect(await delivered(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }],
    })
    expect(checks).toBe(1)
  })

  test.each([
    ['a wallet', { walletAddress: recipientAddress }],
    ['an e-mail address', { email: 'ada@example.com' }],
  ])('default: a free order for %s is delivered without a payment', async (_, recipient) => {
    await give()
    const order = await create({ recipient })
    expect(order).toMatchObject({
      ...claimed,
      quote: { status: 'valid', totalPrice: { amount: '0', currency: 'eth' } },
    })
    expect(order.payment.preparation).toBeUndefined()
    await expectBalance()
    expect(await delivered(order.orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }],
    })
    expect(fake.sentOf('mint')).toHaveLength(1)
    expect([...fake.sentOf('sweep'), ...fake.sentOf('refund')]).toEqual([])
    await expectBalance()
  })

  test('behavior: the edit that names the recipient claims it, as a client of the plain interface does', async () => {
    await give()
    const { orderId, quote } = await create({ recipient: undefined })
    expect(quote.status).toBe('requires-recipient')
    expect(await edit(orderId, { recipient: { walletAddress: other } })).toMatchObject(claimed)
    await expect(edit(orderId)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('behavior: a promotion code of 100 percent leaves the claim to the buyer', async () => {
    const sale = { promotionCodes: [{ code: 'FREE', percent: '100', limit: 1 }] }
    await give(sale, { price: '0.01' })
    const { orderId, payment } = await create()
    expect(payment.status).toBe('requires-crypto-payer-address')
    const discounted = await edit(orderId, { promotionCode: 'FREE' })
    expect(discounted).toMatchObject({
      ...waiting,
      quote: { totalPrice: { amount: '0' }, promotion: { status: 'applied' } },
    })
    expect(discounted.payment.preparation?.serializedTransaction).toBeUndefined()
    // Neither a wallet that connects nor a new price is a claim.
    expect(await edit(orderId, { payment: { ...free, payerAddress } })).toMatchObject(waiting)
    expect(await refreshOrder(world.deps, world.secretCall(orderId), { orderId })).toMatchObject(waiting)
    expect(await edit(orderId)).toMatchObject(claimed)
    await expect(create({ promotionCode: 'FREE' })).rejects.toMatchObject({ code: 'input-invalid' })
    expect(await delivered(orderId)).toMatchObject({ phase: 'completed' })
    await expectBalance()
  })

  test('behavior: without what the collection requires it waits, and is claimed with it', async () => {
    await give({ maxPerBuyer: { email: 1 } })
    const { orderId, payment } = await create()
    expect(payment.status).toBe('requires-email')
    const receiptEmail = 'ada@example.com'
    expect(await edit(orderId, { payment: { ...free, receiptEmail } })).toMatchObject(claimed)
    // Nothing was paid, so there is no receipt.
    expect(await database.db.select().from(mails)).toEqual([])
    expect((await create({ payment: { ...free, receiptEmail } })).quote.status).toBe(
      'all-line-items-unavailable',
    )
  })

  test('behavior: a limit for the payer needs one', async () => {
    await give({ maxPerBuyer: { payer: 1 } })
    const { orderId, payment } = await create()
    expect(payment.status).toBe('requires-crypto-payer-address')
    expect(await edit(orderId, { payment: { ...free, payerAddress } })).toMatchObject(claimed)
    expect((await create({ payment: { ...free, payerAddress } })).quote.status).toBe(
      'all-line-items-unavailable',
    )
  })

  test('behavior: phases and the start of a sale hold for it', async () => {
    const at = (offsetMs: number) => new Date(nowMs + offsetMs).toISOString()
    await give({ startsAt: at(1000), phases: [{ name: 'All', maxTokens: 2 }] })
    expect((await create()).lineItems[0]?.quote.unavailabilityReason?.code).toBe('sale-not-started')
    nowMs += 1000
    expect(await create({}, 2)).toMatchObject(claimed)
    expect((await create()).lineItems[0]?.quote.unavailabilityReason?.code).toBe('phase-sold-out')
  })

  test('behavior: money that arrives for it goes back, and a transfer of nothing is not seen', async () => {
    await give()
    const { orderId } = await create()
    for (const units of [0n, unit]) fake.pay({ orderId, currency: 'eth', units })
    await world.look()
    expect((await delivered(orderId)).payment).toMatchObject({ refunded: { amount: '0.01' } })
    expect(fake.sentOf('refund')).toHaveLength(1)
    await expectBalance()
  })

  test('behavior: a transfer of nothing, which anyone can log, claims no order that waits for its buyer', async () => {
    await give({ promotionCodes: [{ code: 'FREE', percent: '100' }] }, { price: '0.01' })
    const { orderId } = await create()
    await edit(orderId, { promotionCode: 'FREE' })
    fake.pay({ orderId, currency: 'eth', units: 0n })
    await world.look()
    expect(await delivered(orderId)).toMatchObject(waiting)
    expect(fake.sentOf('mint')).toEqual([])
  })

  test('behavior: what the chain refuses for good fails without a refund, and its claim is given back', async () => {
    fake.state.refusals.set('mint', 'paused')
    await give({ maxPerBuyer: { wallet: 1 } })
    const { orderId } = await create()
    for (let hour = 0; hour < 80; hour++) {
      await world.drain()
      nowMs += 60 * 60_000
    }
    expect(await world.get(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'failed' } }],
    })
    expect(fake.sentOf('refund')).toEqual([])
    expect(await create()).toMatchObject(claimed)
    await expectBalance()
  })

  test('error: conflict: there is nothing to capture', async () => {
    await give()
    const { orderId } = await create({ payment: { ...free, capture: 'manual' } })
    await expect(captureOrder(world.deps, world.serverCall, { orderId })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The order costs nothing, so there is no payment to capture',
    })
    expect(await delivered(orderId)).toMatchObject({ phase: 'completed' })
  })
})
