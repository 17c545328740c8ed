import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { payments } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort, SeenPayment } from '#base/ports/chain.js'
import { readCursor } from '#sale/payments/chainCursor.js'
import { findPayments } from '#sale/payments/findPayments.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

/** What an attacker can put on a chain, and what it must not do to others' money. */

const price = 10n ** 16n
const nowMs = 1_800_000_000_000
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
let orderId: string

const create = async () =>
  (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId

beforeEach(async () => {
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs, confirmations: 3 })
  chain.mine(5)
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  orderId = await create()
})

const pay = (units = price, to = orderId) => chain.pay({ orderId: to, currency: 'eth', units })
const settle = async () => {
  chain.mine(2)
  await world.look()
  await world.drain()
}

describe('a transaction with other effects after a reorganisation', () => {
  test.each([
    ['and is looked at before', true],
    ['and is not looked at before', false],
  ])(
    'behavior: pays another order, %s: the first one is unpaid, the second one is paid',
    async (_, isLooking) => {
      const other = await create()
      const { txId } = pay()
      await world.look()
      chain.reorganise(1)
      if (isLooking) await world.look()
      chain.pay({ orderId: other, currency: 'eth', units: 1n, txId })
      await world.look()
      expect((await world.get(orderId)).payment.status).toBe('awaiting-payment')
      expect((await world.get(other)).payment.status).toBe('in-progress')
      await settle()
      expect((await world.get(orderId)).payment.status).toBe('awaiting-payment')
      expect(chain.sentOf('mint')).toEqual([])
      await world.endQuote(other)
      await world.drain()
      expect((await world.get(other)).payment).toMatchObject({
        status: 'requires-quote',
        failureReason: { code: 'underpaid' },
        refunded: { amount: '0.000000000000000001' },
      })
      expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId: other, units: 1n } }])
    },
  )

  test('behavior: pays less: the new amount counts', async () => {
    const { txId } = pay()
    await world.look()
    chain.reorganise(1)
    chain.pay({
      orderId,
      currency: 'eth',
      units: 2n,
      payer: '0x00000000000000000000000000000000000000dd',
      txId,
    })
    await settle()
    expect((await world.get(orderId)).payment).toMatchObject({
      status: 'awaiting-payment',
      failureReason: { code: 'underpaid' },
    })
    expect(chain.sentOf('mint')).toEqual([])
    await world.endQuote(orderId)
    await world.drain()
    expect(chain.sentOf('refund')).toMatchObject([
      { input: { orderId, units: 2n, recipient: '0x00000000000000000000000000000000000000dd' } },
    ])
    const rows = await database.db.select().from(payments).where(eq(payments.orderId, orderId))
    expect(rows).toMatchObject([{ txId, units: '2', payer: '0x00000000000000000000000000000000000000dd' }])
  })

  test('behavior: moves to another place in its block, deeper than a payment is final: it is the same payment', async () => {
    const other = await create()
    const { txId } = pay()
    await settle()
    expect((await world.get(orderId)).phase).toBe('completed')
    chain.reorganise(3)
    pay(price, other)
    chain.payInSameBlock({ orderId, currency: 'eth', units: price, txId })
    await settle()
    expect(chain.sentOf('refund')).toEqual([])
    expect(chain.sentOf('mint')).toHaveLength(2)
  })

  test('behavior: pays one order twice, and counts as two payments', async () => {
    const { txId } = pay()
    chain.payInSameBlock({ orderId, currency: 'eth', units: 3n, txId })
    await settle()
    expect((await world.get(orderId)).phase).toBe('completed')
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: 3n } }])
  })
})

describe('more logs than a node returns', () => {
  /** Refuses queries over too many blocks, and those with too long an answer. */
  const strict = (limits: { blocks?: bigint; logs?: number }): ChainPort & { asked: number } => {
    const port = {
      ...chain.port,
      asked: 0,
      findPayments: async (input: Parameters<ChainPort['findPayments']>[0]): Promise<SeenPayment[]> => {
        port.asked++
        const found = await chain.port.findPayments(input)
        const isWide = limits.blocks !== undefined && input.toBlock - input.fromBlock >= limits.blocks
        if (!isWide && found.length <= (limits.logs ?? found.length)) return found
        throw new ServiceError('chain-unavailable', 'query returned more than 10000 results')
      },
    }
    return port
  }

  test.each([
    ['a range', { blocks: 4n }],
    ['dust in one block, for another order', { logs: 6 }],
  ])('behavior: %s: smaller queries follow', async (_, limits) => {
    const other = await create()
    pay(1n, other)
    for (let dust = 0; dust < 5; dust++) chain.payInSameBlock({ orderId: other, currency: 'eth', units: 1n })
    chain.payInSameBlock({ orderId, currency: 'eth', units: price })
    pay(1n, other)
    chain.mine(20)
    await lookForPayments(world.deps, strict(limits), defaultWatchOptions)
    expect((await world.get(orderId)).phase).toBe('delivery')
    expect((await world.get(other)).payment.failureReason?.code).toBe('underpaid')
  })

  test('behavior: only payments that a node never returns are left out', async () => {
    const other = await create()
    pay(1n, other)
    for (let dust = 0; dust < 5; dust++) chain.payInSameBlock({ orderId: other, currency: 'eth', units: 1n })
    chain.payInSameBlock({ orderId, currency: 'eth', units: price })
    chain.mine(2)
    await lookForPayments(world.deps, strict({ logs: 5 }), defaultWatchOptions)
    expect((await world.get(orderId)).phase).toBe('delivery')
    expect((await world.get(other)).payment.received).toBeUndefined()
    expect(world.logged.filter((line) => line.startsWith('the node does not tell'))).toHaveLength(1)
    expect((await readCursor(database.db, 'base-sepolia'))?.number).toBe(chain.head().number)
  })

  test('behavior: a node that refuses every query does not count as having no payments', async () => {
    pay()
    const before = await readCursor(database.db, 'base-sepolia')
    const findPayments = () => Promise.reject(new ServiceError('chain-unavailable', 'too many requests'))
    const port: ChainPort = { ...chain.port, findPayments }
    await expect(lookForPayments(world.deps, port, defaultWatchOptions)).rejects.toThrow('too many')
    expect(await readCursor(database.db, 'base-sepolia')).toEqual(before)
  })

  test('behavior: a node that is away is not queried further', async () => {
    chain.mine(20)
    const port = strict({ blocks: 4n })
    port.getHead = () => Promise.reject(new ServiceError('chain-unavailable', 'away'))
    const range = { fromBlock: 0n, toBlock: 20n }
    await expect(findPayments(world.deps, port, { ...range, targets: ['ref:a'] })).rejects.toThrow('away')
    expect(port.asked).toBe(1)
  })

  test('behavior: seventy thousand transfers of a foreign token are recorded once, and hide nothing', async () => {
    const real = pay()
    const port: ChainPort = {
      ...chain.port,
      findPayments: async (input) => {
        const found = await chain.port.findPayments(input)
        const first = found.find(({ txId }) => txId === real.txId)
        if (!first) return found
        const foreign = Array.from({ length: 70_000 }, (_, index) => {
          return { ...first, txId: `0xforeign${index % 9}`, currency: '0xforeign', logIndex: index + 1 }
        })
        return [...found, ...foreign]
      },
    }
    chain.mine(2)
    await lookForPayments(world.deps, port, defaultWatchOptions)
    await lookForPayments(world.deps, port, defaultWatchOptions)
    expect((await world.get(orderId)).phase).toBe('delivery')
    const rows = await database.db.select().from(payments).where(eq(payments.status, 'foreign'))
    expect(rows).toMatchObject([{ orderId, currency: '0xforeign' }])
  })

  test('behavior: of very many foreign tokens, a limited number is recorded', async () => {
    for (let token = 0; token < 130; token++) chain.pay({ orderId, currency: `0x${token}`, units: 1n })
    await world.look()
    await world.look()
    const rows = await database.db.select().from(payments).where(eq(payments.status, 'foreign'))
    expect(rows).toHaveLength(100)
  })
})
