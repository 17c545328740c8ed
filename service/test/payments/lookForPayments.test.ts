import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/openDatabase.js'
import { payments } from '../../src/db/tables/index.js'
import { editOrder } from '../../src/orders/editOrder.js'
import { lookForPayments } from '../../src/payments/lookForPayments.js'
import { expireQuotes, recheckFunds } from '../../src/payments/recheckOrders.js'
import { defaultWatchOptions } from '../../src/payments/watchPayments.js'
import { clearDatabase } from '../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../helpers/createOrderWorld.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'

const price = 10n ** 16n
let database: OpenDatabase
let world: OrderWorld
let chain: FakeChain
let orderId: string
let nowMs: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs, confirmations: 3 })
  chain.mine(5)
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  orderId = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
})

const read = () => world.get(orderId)
const pay = (units = price, currency = 'eth') => chain.pay({ orderId, currency, units })

describe('lookForPayments', () => {
  test('default: in a block, then deep enough, then delivered once', async () => {
    pay()
    await world.look()
    expect(await read()).toMatchObject({ phase: 'payment', payment: { status: 'in-progress' } })
    expect((await read()).payment.preparation).toBeUndefined()
    chain.mine()
    await world.look()
    expect((await read()).phase).toBe('payment')
    chain.mine()
    await world.look()
    expect(await read()).toMatchObject({
      phase: 'delivery',
      payment: { status: 'completed', received: { amount: '0.01' } },
    })
    chain.mine(20)
    await world.look()
    await world.drain()
    expect((await read()).phase).toBe('completed')
    expect(chain.sentOf('mint')).toHaveLength(1)
    expect(chain.sentOf('sweep')).toMatchObject([{ input: { units: price } }])
  })

  test('behavior: a block reorganised away undoes in-progress; the payment may come back', async () => {
    const { txId } = pay()
    await world.look()
    chain.reorganise(1)
    await world.look()
    expect((await read()).payment).toMatchObject({ status: 'awaiting-payment', preparation: {} })
    chain.pay({ orderId, currency: 'eth', units: price, txId })
    await world.look()
    expect((await read()).payment.status).toBe('in-progress')
    chain.mine(2)
    await world.look()
    expect((await read()).phase).toBe('delivery')
    expect(await database.db.select().from(payments).where(eq(payments.orderId, orderId))).toMatchObject([
      { txId, status: 'confirmed' },
    ])
  })

  test('behavior: a payment that moved to another block is counted from there', async () => {
    const { txId } = pay()
    chain.mine()
    await world.look()
    chain.reorganise(2)
    chain.pay({ orderId, currency: 'eth', units: price, txId })
    await world.look()
    expect((await read()).payment.status).toBe('in-progress')
    const [row] = await database.db.select().from(payments).where(eq(payments.orderId, orderId))
    expect(row?.blockHash).toBe(chain.head().hash)
  })

  test('behavior: two processes looking at once write the same', async () => {
    pay()
    await Promise.all([world.look(), world.look(), world.look()])
    chain.mine(2)
    await Promise.all([world.look(), world.look(), world.look()])
    expect(world.queue.filter(({ name }) => name === 'orders.deliver')).toHaveLength(1)
    await world.drain()
    expect(chain.sentOf('mint')).toHaveLength(1)
  })

  test('behavior: two orders in one block are told apart', async () => {
    const other = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
    pay()
    chain.payInSameBlock({ orderId: other, currency: 'eth', units: price })
    chain.mine(2)
    await world.look()
    await world.drain()
    expect((await read()).phase).toBe('completed')
    expect((await world.get(other)).phase).toBe('completed')
    expect(chain.sentOf('mint')).toHaveLength(2)
  })

  test('behavior: a long absence is caught up in steps', async () => {
    chain.mine(40)
    pay()
    chain.mine(60)
    await lookForPayments(world.deps, chain.port, { ...defaultWatchOptions, reorgDepth: 5, maxBlocks: 10 })
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: a development chain that was started anew is read from its first block', async () => {
    chain.mine(100)
    pay()
    await world.look()
    expect((await read()).payment.status).toBe('in-progress')
    chain.restart()
    chain.mine(2)
    await world.look()
    expect((await read()).payment.status).toBe('awaiting-payment')
    pay()
    chain.mine(2)
    await world.look()
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: a chain that no order waits for is left alone', async () => {
    const unused = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
    expect(await lookForPayments(world.deps, unused.port, defaultWatchOptions)).toBe(false)
    expect(unused.state.readyCount).toBe(0)
  })

  test('behavior: money for a currency the order no longer asks for goes back', async () => {
    const payment = { method: 'base-sepolia', currency: 'usdc' }
    await editOrder(world.deps, world.serverCall, { orderId, body: { payment } })
    pay()
    chain.mine(2)
    await world.look()
    await world.drain()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId, currency: 'eth', units: price } }])
    expect((await read()).payment).toMatchObject({
      failureReason: { code: 'unknown' },
      refunded: { amount: '0.01', currency: 'eth' },
    })
  })
})

describe('recheckOrders', () => {
  const status = async () => (await read()).payment.status

  test('behavior: too little, and enough again', async () => {
    chain.state.funds = 'insufficient-funds-for-gas'
    await recheckFunds(world.deps, 'base-sepolia', 50)
    expect(await status()).toBe('crypto-payer-insufficient-funds-for-gas')
    chain.state.funds = 'ready'
    await recheckFunds(world.deps, 'base-sepolia', 50)
    expect(await status()).toBe('awaiting-payment')
    expect((await read()).payment.preparation?.serializedTransaction).toContain(orderId)
  })

  test('behavior: quotes run out by themselves', async () => {
    nowMs += 600_000
    await expireQuotes(world.deps, 'base-sepolia')
    nowMs -= 600_000
    expect((await read()).quote.status).toBe('expired')
  })
})
