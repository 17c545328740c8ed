import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { chainCursors, payments, paymentTargets } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { keepWatching, liveForMs } from '#sale/orders/watchTargets.js'
import { readCursor, saveCursor } from '#sale/payments/chainCursor.js'
import { expireQuotes } from '#sale/payments/expireQuotes.js'
import { giveUpHints, lookAtHints } from '#sale/payments/lookAtHints.js'
import { type LookOptions, lookForPayments } from '#sale/payments/lookForPayments.js'
import { recheckFunds } from '#sale/payments/recheckFunds.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const price = 10n ** 16n
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
let orderId: string
let nowMs: number

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
const statusOf = async (txId: string) =>
  (await database.db.select().from(payments).where(eq(payments.txId, txId)))[0]?.status
const pay = (units = price, currency = 'eth') => chain.pay({ orderId, currency, units })

describe('lookForPayments', () => {
  test('default: in a block, then confirmed, then delivered once', async () => {
    pay()
    await world.look()
    expect(await read()).toMatchObject({ phase: 'payment', payment: { status: 'in-progress' } })
    expect((await read()).payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress })
    chain.mine()
    await world.look()
    expect((await read()).phase).toBe('payment')
    chain.mine()
    await world.look()
    expect(await read()).toMatchObject({
      phase: 'delivery',
      payment: { status: 'completed', received: { amount: '0.01' } },
    })
    expect((await read()).payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress })
    chain.mine(20)
    await world.look()
    await world.drain()
    expect((await read()).phase).toBe('completed')
    expect((await read()).payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress })
    expect(chain.sentOf('mint')).toHaveLength(1)
    expect(chain.sentOf('sweep')).toMatchObject([{ input: { units: price } }])
  })

  test('behavior: a chain is asked only for addresses of its own family', async () => {
    const asked: string[] = []
    const { findPayments } = chain.port
    const spied = {
      ...chain.port,
      findPayments: async (input: Parameters<typeof findPayments>[0]) => {
        asked.push(...input.targets)
        return findPayments(input)
      },
    }
    const target = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'
    const watchedUntil = new Date(nowMs + 60_000)
    await database.db.insert(paymentTargets).values({ chain: 'solana', target, orderId, watchedUntil })
    await reportPayment(world.deps, world.serverCall, {
      orderId,
      body: { type: 'crypto-tx-id', txId: pay().txId },
    })
    await lookAtHints(world.deps, spied, 20)
    const reportedCount = asked.length
    await lookForPayments(world.deps, spied, defaultWatchOptions)
    expect(reportedCount).toBeGreaterThan(0)
    expect(asked.length).toBeGreaterThan(reportedCount)
    expect(asked).not.toContain(target)
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

  test('behavior: two concurrent processes write the same', async () => {
    pay()
    await Promise.all([world.look(), world.look(), world.look()])
    chain.mine(2)
    await Promise.all([world.look(), world.look(), world.look()])
    expect(world.queue.filter(({ name }) => name === 'orders.deliver')).toHaveLength(1)
    await world.drain()
    expect(chain.sentOf('mint')).toHaveLength(1)
  })

  test('behavior: two orders in one block are distinguished', async () => {
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

  test('behavior: a long absence is read in steps', async () => {
    chain.mine(40)
    pay()
    chain.mine(60)
    await lookForPayments(world.deps, chain.port, { rereadMs: 0, maxBlocks: 10, lateEveryMs: 600_000 })
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: a development chain that was reset is read from its first block', async () => {
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

  test('behavior: a development chain that was reset and has outgrown the old one', async () => {
    pay()
    await world.look()
    chain.restart()
    chain.mine(30)
    await world.look()
    expect((await read()).payment.status).toBe('awaiting-payment')
  })

  test.each([
    ['a chain', false],
    ['a development chain', true],
  ])('behavior: a node of %s that is far behind undoes nothing', async (_, isLocal) => {
    const [cursorBefore, seen] = [chain.head().number + 40n, pay()]
    chain.mine(39)
    await world.look()
    // Delivered or not, the payment must still count.
    expect(await statusOf(seen.txId)).toBe('confirmed')
    const late = pay()
    await world.look()
    chain.state.behind = 30
    const { getBlock } = chain.port
    // Another node of the same provider answers by number, and has all blocks.
    const whole: ChainPort = {
      ...chain.port,
      isLocal,
      getBlock: async (number) => {
        chain.state.behind = 0
        const block = await getBlock(number)
        chain.state.behind = 30
        return block
      },
    }
    await lookForPayments(world.deps, whole, defaultWatchOptions)
    expect(await statusOf(late.txId)).toBe('seen')
    expect((await readCursor(database.db, 'base-sepolia'))?.number).toBe(cursorBefore + 1n)
    chain.state.behind = 0
    chain.mine(2)
    await world.look()
    expect(await statusOf(late.txId)).toBe('confirmed')
  })

  test('behavior: a stale answer of a public chain does not count as a new chain', async () => {
    const real = { ...chain.port, isLocal: false }
    chain.mine(40)
    pay()
    await lookForPayments(world.deps, real, defaultWatchOptions)
    chain.state.behind = 30
    await lookForPayments(world.deps, real, defaultWatchOptions)
    expect((await read()).payment.status).toBe('in-progress')
    expect((await readCursor(database.db, 'base-sepolia'))?.number).toBe(46n)
  })

  test('behavior: a log that a node lacks temporarily does not undo a payment', async () => {
    pay()
    await world.look()
    chain.state.isHidingLogs = true
    await world.look()
    expect((await read()).payment.status).toBe('in-progress')
    chain.mine(2)
    await world.look()
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: blocks whose logs a node hid are read again for five minutes', async () => {
    chain.state.isHidingLogs = true
    const every = (ms: number) => {
      nowMs += ms
      chain.mine()
    }
    pay()
    for (let block = 0; block < 100; block++) every(2000)
    await world.look()
    expect((await read()).payment.status).toBe('awaiting-payment')
    chain.state.isHidingLogs = false
    await world.look()
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: a payment seen at the very end of its watch is followed to its end', async () => {
    pay()
    await world.look()
    expect((await read()).payment.status).toBe('in-progress')
    nowMs += 31 * 24 * 60 * 60_000
    chain.mine(5)
    await world.look()
    expect((await read()).payment.status).toBe('completed')
  })

  test('behavior: a local chain that nothing has used is left alone', async () => {
    const unused = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
    unused.state.isStarted = false
    expect(await lookForPayments(world.deps, unused.port, defaultWatchOptions)).toBe(false)
    expect(unused.state.readyCount).toBe(0)
  })

  test('behavior: a chain that no order was to be paid on is searched from when the order was made', async () => {
    const wrong = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
    wrong.mine(10)
    wrong.pay({ orderId: crypto.randomUUID(), currency: 'usdc', units: 5n })
    for (let minute = 0; minute < 90; minute++) {
      nowMs += 60_000
      wrong.mine(30)
      if (minute === 20) wrong.pay({ orderId, currency: 'usdc', units: 7n })
    }
    expect(await lookForPayments(world.deps, wrong.port, { ...defaultWatchOptions, maxBlocks: 500 })).toBe(
      true,
    )
    expect(await read()).toMatchObject({
      payment: { received: { chain: 'polygon-amoy', currency: 'usdc', amount: '0.000007' } },
    })
    nowMs += liveForMs
    const { port } = createFakeChain({ now: () => nowMs, chain: 'arbitrum-sepolia' })
    expect(await lookForPayments(world.deps, port, defaultWatchOptions)).toBe(false)
  })

  describe('a chain without waiting orders for a long time', () => {
    const dayMs = 24 * 60 * 60_000
    /** Counts the queries for payments. */
    const counting = (port: ChainPort) => {
      const counter = { asked: 0 }
      const findPayments: ChainPort['findPayments'] = (input) => {
        counter.asked++
        return port.findPayments(input)
      }
      return { counter, port: { ...port, findPayments } }
    }
    const options = { ...defaultWatchOptions, rereadMs: 0, maxBlocks: 20 }

    test("default: is read from the next order's block on", async () => {
      await world.look()
      nowMs += 31 * dayMs
      chain.mine(2000)
      orderId = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
      pay()
      chain.mine(30)
      const { counter, port } = counting(chain.port)
      await lookForPayments(world.deps, port, options)
      expect((await read()).phase).toBe('delivery')
      expect(counter.asked).toBeLessThan(10)
    })

    test('behavior: is read from its head on after an order on another chain, or a report', async () => {
      const elsewhere = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
      elsewhere.mine(3)
      const both = await createOrderWorld({
        db: database.db,
        chains: [chain.port, elsewhere.port],
        now: () => nowMs,
      })
      await both.createCollection({ id: 'mate' })
      const create = (method: string, currency: string) =>
        both.create({
          lineItems: { collectionLocator: 'kassa:mate' },
          payment: { method, currency, payerAddress },
        })
      await create('base-sepolia', 'eth')
      await both.look()
      for (const wake of [
        () => create('polygon-amoy', 'usdc'),
        () =>
          reportPayment(world.deps, world.serverCall, {
            orderId,
            body: { type: 'crypto-tx-id', txId: '0xa' },
          }),
      ]) {
        nowMs += 31 * dayMs
        chain.mine(2000)
        await wake()
        const { counter, port } = counting(chain.port)
        expect(await lookForPayments(world.deps, port, options)).toBe(true)
        expect(counter.asked).toBe(1)
      }
    })

    test('behavior: one with a waiting order is read completely, however long it was not read', async () => {
      nowMs += 29 * dayMs
      pay()
      nowMs += dayMs / 2
      chain.mine(300)
      await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
      await lookForPayments(world.deps, chain.port, options)
      expect(await read()).toMatchObject({ payment: { failureReason: { code: 'expired' } } })
    })
  })

  describe('an order whose quote ran out hours ago', () => {
    const hourMs = 60 * 60_000
    /** Looks, and counts the targets of each question. */
    const look = async (change: Partial<LookOptions> = {}) => {
      const asked: number[] = []
      const findPayments: ChainPort['findPayments'] = (input) => {
        asked.push(input.targets.length)
        return chain.port.findPayments(input)
      }
      const port = { ...chain.port, findPayments }
      await lookForPayments(world.deps, port, { ...defaultWatchOptions, rereadMs: 0, ...change })
      return asked
    }

    test('default: its late payment is found once its block is final, at the next search for late ones', async () => {
      await look()
      nowMs += 3 * hourMs
      // The search for late ones of this time.
      await look()
      pay()
      chain.mine(20)
      nowMs += 5 * 60_000
      expect(await look()).toEqual([])
      expect((await read()).payment.received).toBeUndefined()
      nowMs += 5 * 60_000
      await look()
      expect(await read()).toMatchObject({ payment: { failureReason: { code: 'expired' } } })
      await world.drain()
      expect(chain.sentOf('refund')).toHaveLength(1)
      nowMs += 10 * 60_000
      chain.mine(20)
      await look()
      await world.drain()
      expect(chain.sentOf('refund')).toHaveLength(1)
    })

    test('behavior: is no part of the searches in between', async () => {
      await look()
      nowMs += 3 * hourMs
      chain.mine()
      await look()
      chain.mine()
      expect(await look()).toEqual([])
    })

    test('behavior: a payment before a report made it live again is found', async () => {
      await look()
      nowMs += 3 * hourMs
      await look()
      pay()
      chain.mine(20)
      await look()
      await world.deps.db.transaction((tx) => keepWatching(tx, orderId, nowMs))
      chain.mine(20)
      nowMs += 10 * 60_000
      await look()
      expect(await read()).toMatchObject({ payment: { failureReason: { code: 'expired' } } })
    })

    test('behavior: a payment while the node was away is found, though its order is live no more', async () => {
      await look()
      pay()
      nowMs += 3 * hourMs
      chain.mine(20)
      await look()
      expect((await read()).payment.received).toBeDefined()
    })

    test('behavior: the first search of a new release goes back behind the last one', async () => {
      await look()
      await database.db.update(chainCursors).set({ lateBlock: null, lateAt: null })
      nowMs += 3 * hourMs
      pay()
      chain.mine(20)
      await look()
      expect((await read()).payment.received).toBeDefined()
    })

    test('behavior: a payment in the last minute of its watch is found after it', async () => {
      await look()
      nowMs += 30 * 24 * hourMs - 5 * 60_000
      await look()
      pay()
      chain.mine(20)
      nowMs += 14 * 60_000
      await look()
      expect((await read()).payment.received).toBeDefined()
    })

    test('behavior: targets that an earlier release wrote are live', async () => {
      await look()
      await database.db.update(paymentTargets).set({ liveUntil: null })
      nowMs += 3 * hourMs
      pay()
      chain.mine(20)
      await look({ lateEveryMs: Number.POSITIVE_INFINITY })
      expect((await read()).payment.received).toBeDefined()
    })

    test('behavior: a chain whose searches may cover any range catches up in one, and looks where nothing is left', async () => {
      await look()
      const number = (await chain.port.getHead()).number
      chain.mine(5000)
      const findPayments = vi.fn(chain.port.findPayments)
      const any = { ...chain.port, searchesAnyRange: true, findPayments }
      await lookForPayments(world.deps, any, { ...defaultWatchOptions, maxBlocks: 10, lateEveryMs: 0 })
      const [live, late] = findPayments.mock.calls.map(([input]) => input)
      expect(live).toMatchObject({ toBlock: number + 5000n, includesEmptied: true })
      expect(live?.fromBlock).toBeLessThan(number)
      expect(late?.fromBlock).toBeLessThanOrEqual(number + 1n)
      expect(late?.toBlock).toBeGreaterThan(number + 4900n)
      await lookForPayments(world.deps, any, defaultWatchOptions)
      expect(findPayments.mock.lastCall?.[0]).toMatchObject({ includesEmptied: false })
    })
  })

  test('behavior: a chain whose own orders have ended is searched while any order waits', async () => {
    const other = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
    const both = await createOrderWorld({
      db: database.db,
      chains: [chain.port, other.port],
      now: () => nowMs,
    })
    await both.createCollection({ id: 'mate' })
    const create = async (method: string, currency: string) => {
      const payment = { method, currency, payerAddress }
      return (await both.create({ lineItems: { collectionLocator: 'kassa:mate' }, payment })).order.orderId
    }
    await create('polygon-amoy', 'usdc')
    await both.look()
    nowMs += 31 * 24 * 60 * 60_000
    const id = await create('base-sepolia', 'eth')
    await both.look()
    other.pay({ orderId: id, currency: 'usdc', units: 7n })
    await both.look()
    await both.drain()
    expect(other.sentOf('refund')).toMatchObject([{ input: { orderId: id, currency: 'usdc', units: 7n } }])
  })

  describe('a last block read that the chain does not have', () => {
    const real = () => ({ ...chain.port, isLocal: false })
    const cursor = async () => (await readCursor(database.db, 'base-sepolia'))?.number
    const lose = async () => {
      await lookForPayments(world.deps, real(), defaultWatchOptions)
      await saveCursor(database.db, 'base-sepolia', { number: 9000n, hash: '0x9', savedAtMs: nowMs })
      nowMs += 9 * 60_000
      pay()
      await lookForPayments(world.deps, real(), defaultWatchOptions)
      expect(await cursor()).toBe(9000n)
      expect((await read()).payment.status).toBe('awaiting-payment')
    }

    test('default: after ten minutes, reading resumes from where it was', async () => {
      await lose()
      nowMs += 2 * 60_000
      chain.mine(20)
      await lookForPayments(world.deps, real(), { ...defaultWatchOptions, rereadMs: 0 })
      expect(await cursor()).toBe(chain.head().number)
      expect((await read()).phase).toBe('delivery')
      expect(world.logged.filter((line) => line.startsWith('the chain lacks'))).toHaveLength(1)
    })

    test('behavior: a block that another node has is waited for', async () => {
      await lose()
      nowMs += 2 * 60_000
      const block = { number: 9000n, hash: '0x9', timestampMs: nowMs }
      const getBlock: ChainPort['getBlock'] = async (number) =>
        number === 9000n ? block : chain.port.getBlock(number)
      await lookForPayments(world.deps, { ...real(), getBlock }, defaultWatchOptions)
      expect(await cursor()).toBe(9000n)
    })
  })

  test('behavior: a payment in a currency that the order no longer uses is refunded', async () => {
    const payment = { method: 'base-sepolia' as const, currency: 'usdc' }
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

describe('lookAtHints', () => {
  const report = (txId: string) =>
    reportPayment(world.deps, world.serverCall, { orderId, body: { type: 'crypto-tx-id', txId } })
  /** The payment is in a block that is not read again. */
  const miss = async () => {
    chain.state.isHidingLogs = true
    const { txId } = pay()
    for (let block = 0; block < 300; block++) {
      nowMs += 1000
      chain.mine()
    }
    nowMs += 200_000
    chain.mine()
    await lookForPayments(world.deps, chain.port, { ...defaultWatchOptions, rereadMs: 0 })
    chain.state.isHidingLogs = false
    await lookForPayments(world.deps, chain.port, { ...defaultWatchOptions, rereadMs: 0 })
    expect((await read()).payment.status).toBe('awaiting-payment')
    return txId
  }

  test('default: the block of a reported transaction is searched again, and its logs decide', async () => {
    const txId = await miss()
    await report(`0x${'12'.repeat(32)}`)
    await report(txId)
    await lookAtHints(world.deps, chain.port, 20)
    expect((await read()).payment.status).toBe('in-progress')
    await lookForPayments(world.deps, chain.port, { ...defaultWatchOptions, rereadMs: 0 })
    expect((await read()).phase).toBe('delivery')
  })

  test('behavior: one reported again is followed for the full time again', async () => {
    const txId = `0x${'34'.repeat(32)}`
    await report(txId)
    nowMs += 31 * 24 * 60 * 60 * 1000
    chain.pay({ orderId, currency: 'eth', units: 4n, txId })
    await lookAtHints(world.deps, chain.port, 20)
    expect((await read()).payment.received).toBeUndefined()
    await report(txId)
    await lookAtHints(world.deps, chain.port, 20)
    expect(await statusOf(txId)).toBe('seen')
    chain.mine(2)
    await world.look()
    await world.drain()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId, units: 4n } }])
  })

  test('behavior: one that a node does not answer for does not block others', async () => {
    const txId = await miss()
    const bad = Array.from({ length: 8 }, (_, index) => `0x${`${index}f`.repeat(32)}`)
    for (const each of bad) await report(each)
    await report(txId)
    const findTransactionBlock: ChainPort['findTransactionBlock'] = (id) =>
      bad.includes(id) ? Promise.reject(new Error('pruned')) : chain.port.findTransactionBlock(id)
    await lookAtHints(world.deps, { ...chain.port, findTransactionBlock }, 20)
    expect((await read()).payment.status).toBe('in-progress')
    expect(world.logged.filter((line) => line.startsWith('cannot look at a reported'))).toHaveLength(8)
  })

  test("behavior: another order's transaction changes nothing", async () => {
    const txId = await miss()
    const other = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
    await reportPayment(world.deps, world.serverCall, {
      orderId: other,
      body: { type: 'crypto-tx-id', txId },
    })
    await lookAtHints(world.deps, chain.port, 20)
    expect((await world.get(other)).payment.status).toBe('awaiting-payment')
    expect((await read()).payment.status).toBe('awaiting-payment')
  })

  test('behavior: transactions that were seen, or reported a day ago, are no longer checked', async () => {
    const asked: string[] = []
    const port: ChainPort = {
      ...chain.port,
      findTransactionBlock: async (txId) => {
        asked.push(txId)
        return undefined
      },
    }
    const { txId } = pay()
    await report(txId)
    await report('0xopen')
    await world.look()
    await lookAtHints(world.deps, port, 20)
    nowMs += 24 * 60 * 60 * 1000
    await lookAtHints(world.deps, port, 20)
    expect(asked).toEqual(['0xopen'])
  })
})

describe('giveUpHints', () => {
  test('behavior: a round asks about so many reports; an order with a known one is asked about hourly', async () => {
    const known = '0xknown'
    chain.state.traces.set(known, 'known')
    const report = (reportedId: string, txId: string) =>
      reportPayment(world.deps, world.serverCall, {
        orderId: reportedId,
        body: { type: 'crypto-tx-id', txId },
      })
    const create = async () =>
      (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
    const orderIds = [orderId, await create(), await create()]
    for (const id of orderIds) for (const txId of [known, '0x1', '0x2', '0x3']) await report(id, txId)
    const asked: string[] = []
    const port: ChainPort = {
      ...chain.port,
      traceReported: async (input) => {
        asked.push(input.txId)
        return chain.port.traceReported(input)
      },
    }
    const deps = { ...world.deps, chains: { enabled: [port.chain], get: () => port } }
    const ask = async () => {
      asked.length = 0
      await giveUpHints(deps, port.chain, 8)
      return asked.length
    }
    nowMs += world.deps.config.reportedTtlMs
    expect([await ask(), await ask(), await ask()]).toEqual([8, 4, 0])
    for (const id of orderIds) await report(id, '0x4')
    nowMs += world.deps.config.reportedTtlMs
    expect(await ask()).toBe(0)
    chain.state.traces.clear()
    nowMs += 3_600_000
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([5, 5, 5, 0])
    for (const id of orderIds) {
      expect((await world.get(id)).payment.failureReason?.code).toBe('tx-id-not-found')
    }
  })
})

describe('recheckFunds', () => {
  const status = async () => (await read()).payment.status

  test('behavior: too few funds, and enough again', async () => {
    expect(await status()).toBe('awaiting-payment')
    chain.state.funds = 'insufficient-funds-for-gas'
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('crypto-payer-insufficient-funds-for-gas')
    chain.state.funds = 'ready'
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('awaiting-payment')
    expect((await read()).payment.preparation?.serializedTransaction).toContain(orderId)
  })

  test('behavior: an order that is over a limit of the chain keeps its state, and no other waits for it', async () => {
    expect(await status()).toBe('awaiting-payment')
    chain.state.funds = 'insufficient-funds-for-gas'
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    chain.state.funds = 'ready'
    const refusal = new ServiceError('rate-limited', 'payment.currency: too many')
    const prepare = vi.spyOn(chain.port, 'preparePayment').mockRejectedValueOnce(refusal)
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(prepare).toHaveBeenCalled()
    expect(await status()).toBe('crypto-payer-insufficient-funds-for-gas')
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('awaiting-payment')
    prepare.mockRestore()
  })

  test('behavior: an empty wallet is not shown just after a payment was reported', async () => {
    chain.state.funds = 'insufficient-funds'
    const body = { type: 'crypto-tx-id', txId: `0x${'12'.repeat(32)}` } as const
    await reportPayment(world.deps, world.serverCall, { orderId, body })
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('awaiting-payment')
    nowMs += 3 * 60_000
    // The buyer still looks at it.
    expect(await status()).toBe('awaiting-payment')
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('crypto-payer-insufficient-funds')
  })

  test('behavior: an empty wallet is not shown while any payment waits to be confirmed', async () => {
    pay(price, 'usdc')
    await world.look()
    expect(await status()).toBe('awaiting-payment')
    chain.state.funds = 'insufficient-funds'
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('awaiting-payment')
  })

  test('behavior: an order that lacks nothing and that no caller follows is not checked', async () => {
    chain.state.funds = 'insufficient-funds'
    const prepare = vi.spyOn(chain.port, 'preparePayment')
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    await read()
    nowMs += 90_000
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(prepare).not.toHaveBeenCalled()
    const stream = world.deps.orderStreams.open({ orderId, audience: 'buyer', network: 'one' })
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(prepare).toHaveBeenCalledTimes(1)
    await stream.cancel()
    prepare.mockRestore()
    expect(await status()).toBe('crypto-payer-insufficient-funds')
  })

  test('behavior: one that lacks funds is checked though no caller follows it, by one process', async () => {
    await read()
    chain.state.funds = 'insufficient-funds'
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    chain.state.funds = 'ready'
    nowMs += 120_000
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50, isFollowedOnly: true })
    expect(await status()).toBe('crypto-payer-insufficient-funds')
    nowMs += 120_000
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect(await status()).toBe('awaiting-payment')
  })

  test('behavior: one payment is prepared again only once what its payer holds has changed, or after a while', async () => {
    chain.state.funds = 'insufficient-funds'
    await read()
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    const prepare = vi.spyOn(chain.port, 'preparePayment')
    const countChecks = async () => {
      await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
      return prepare.mock.calls.length
    }
    // The first check wrote the order, so that its next one is whole.
    expect([await countChecks(), await countChecks(), await countChecks()]).toEqual([1, 1, 1])
    chain.state.funds = 'insufficient-funds-for-gas'
    expect([await countChecks(), await countChecks(), await countChecks()]).toEqual([2, 3, 3])
    nowMs += 30_000
    expect([await countChecks(), await countChecks()]).toEqual([4, 4])
    prepare.mockRestore()
  })

  test('behavior: one that cannot be checked delays no other', async () => {
    const other = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
    for (const id of [orderId, other]) await world.get(id)
    chain.state.funds = 'insufficient-funds'
    const { preparePayment } = chain.port
    const prepare = vi
      .spyOn(chain.port, 'preparePayment')
      .mockImplementation((input) =>
        input.orderId === other ? Promise.reject(new Error('reverts')) : preparePayment(input),
      )
    await expect(recheckFunds(world.deps, 'base-sepolia', { limit: 50 })).rejects.toThrow('reverts')
    prepare.mockRestore()
    expect(await status()).toBe('crypto-payer-insufficient-funds')
  })

  test('behavior: quotes expire automatically', async () => {
    nowMs += 600_000
    await expireQuotes(world.deps, 'base-sepolia')
    nowMs -= 600_000
    expect((await read()).quote.status).toBe('expired')
  })
})
