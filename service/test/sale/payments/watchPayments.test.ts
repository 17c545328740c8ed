import { describe, expect, test, vi } from 'vitest'
import { chainTransactions, solanaTransactions } from '#base/db/tables/index.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { watchPayments } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)

const open = async () => {
  await clearDatabase(database.db)
  const chain = createFakeChain({ now: Date.now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
  const pay = () => chain.pay({ orderId: order.orderId, currency: 'eth', units: 10n ** 16n })
  const phase = async () => (await world.get(order.orderId)).phase
  return { chain, world, pay, phase }
}

describe('watchPayments', () => {
  test('default: finds a payment at the next tick', async () => {
    const { world, pay, phase } = await open()
    const watcher = watchPayments(world.deps, { tickMs: 20 })
    pay()
    await expect.poll(() => phase()).toBe('delivery')
    await watcher.stop()
  })

  test('behavior: a hint starts a search at once', async () => {
    const { world, pay, phase } = await open()
    const watcher = watchPayments(world.deps, { tickMs: 60_000 })
    await expect.poll(() => world.logged).toEqual([])
    pay()
    await watcher.look({ chain: 'base-sepolia' })
    await expect.poll(() => phase()).toBe('delivery')
    await watcher.stop()
  })

  test('behavior: one of two processes watches the chain, and the other takes over when it ends', async () => {
    const { chain, world, pay, phase } = await open()
    const searches = { first: 0, second: 0 }
    const watch = (name: keyof typeof searches) => {
      const port = {
        ...chain.port,
        getHeadNumber: () => {
          searches[name] += 1
          return chain.port.getHeadNumber()
        },
      }
      const chains = { ...world.deps.chains, get: () => port }
      return watchPayments({ ...world.deps, chains }, { tickMs: 20 })
    }
    const first = watch('first')
    await expect.poll(() => searches.first).toBeGreaterThan(1)
    const second = watch('second')
    await expect.poll(() => searches.first).toBeGreaterThan(20)
    expect(searches.second).toBe(0)
    await first.stop()
    pay()
    await expect.poll(() => phase()).toBe('delivery')
    expect(searches.second).toBeGreaterThan(0)
    await second.stop()
  })

  test('behavior: a new block starts a search at once, and many blocks few searches', async () => {
    const { chain, world, pay, phase } = await open()
    let announce = () => {}
    let isWatched = true
    chain.port.watchHeads = (onHead) => {
      announce = onHead
      return () => {
        isWatched = false
      }
    }
    const search = vi.spyOn(chain.port, 'getHead')
    const ask = vi.spyOn(chain.port, 'getHeadNumber')
    const watcher = watchPayments(world.deps, { tickMs: 60_000, headEveryMs: 60_000 })
    await expect.poll(() => ask.mock.calls.length).toBe(1)
    pay()
    for (let block = 0; block < 50; block++) announce()
    await expect.poll(() => phase()).toBe('delivery')
    expect(search).toHaveBeenCalledTimes(1)
    expect(ask).toHaveBeenCalledTimes(1)
    await watcher.stop()
    expect(isWatched).toBe(false)
  })

  test("behavior: another chain's node that never answers about a reported transaction delays no payment", async () => {
    await clearDatabase(database.db)
    const chain = createFakeChain({ now: Date.now })
    const silent = createFakeChain({ now: Date.now, chain: 'polygon-amoy' })
    const config = { reportedTtlMs: 0 }
    const chains = [chain.port, silent.port]
    const world = await createOrderWorld({ db: database.db, chains, now: Date.now, config })
    await world.createCollection({ id: 'tea' })
    const lineItems = { collectionLocator: 'kassa:tea' }
    const method = 'polygon-amoy'
    await world.create({ lineItems, payment: { method, currency: 'eth', payerAddress } })
    const { order } = await world.create({ lineItems })
    const body = { type: 'crypto-tx-id', txId: '0xunknown' } as const
    await reportPayment(world.deps, world.serverCall, { orderId: order.orderId, body })
    let answer = (_trace: 'unknown') => {}
    const asked = new Promise<void>((resolve) => {
      silent.port.traceReported = () => {
        resolve()
        return new Promise((end) => {
          answer = end
        })
      }
    })
    const watcher = watchPayments(world.deps, { tickMs: 10 })
    await asked
    chain.pay({ orderId: order.orderId, currency: 'eth', units: 10n ** 16n })
    await expect.poll(async () => (await world.get(order.orderId)).phase).toBe('delivery')
    answer('unknown')
    await watcher.stop()
  })

  test.each(['readHoldings', 'findTransactionBlock'] as const)(
    'behavior: a payment does not wait for %s, however long the node takes for it',
    async (question) => {
      const { chain, world, pay, phase } = await open()
      const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
      const body = { type: 'crypto-tx-id', txId: '0xunknown' } as const
      await reportPayment(world.deps, world.serverCall, { orderId: order.orderId, body })
      await phase()
      let answer = () => {}
      const asked = vi.fn()
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      const original = chain.port[question] as (input: never) => Promise<never>
      chain.port[question] = async (input: never) => {
        asked()
        await answered
        return original(input)
      }
      const watcher = watchPayments(world.deps, { tickMs: 10, fundsEveryMs: 10, hintsEveryMs: 10 })
      await expect.poll(() => asked.mock.calls.length).toBe(1)
      pay()
      await expect.poll(() => phase()).toBe('delivery')
      answer()
      await watcher.stop()
    },
  )

  test('behavior: what a chain has lost is sent again automatically', async () => {
    const { chain, world } = await open()
    const watcher = watchPayments(world.deps, { tickMs: 10, recoverEveryMs: 20, restEveryMs: 20 })
    await expect.poll(() => chain.state.recoverCount).toBeGreaterThan(2)
    await watcher.stop()
  })

  test('behavior: this also holds where nothing was ever paid, except on a local chain', async () => {
    await clearDatabase(database.db)
    const minted = createFakeChain({ now: Date.now, chain: 'polygon-amoy', isLocal: false })
    const local = createFakeChain({ now: Date.now, chain: 'ethereum-sepolia' })
    const unused = createFakeChain({ now: Date.now, chain: 'zora-sepolia', isLocal: false })
    for (const chain of ['polygon-amoy', 'ethereum-sepolia']) {
      const bytes = { signedTransaction: '0x', txId: '0x', nonce: 0, sender: '0x' }
      await database.db
        .insert(chainTransactions)
        .values({ key: `${chain}:mint`, chain, ...bytes, status: 'succeeded' })
    }
    const onSolana = createFakeChain({ now: Date.now, chain: 'solana', isLocal: false })
    await database.db.insert(solanaTransactions).values({
      key: 'solana:mint',
      chain: 'solana',
      signedTransaction: 'AA==',
      signature: 'mint',
      lastValidBlockHeight: 1n,
      status: 'signed',
    })
    const chains = [unused.port, local.port, minted.port, onSolana.port]
    const world = await createOrderWorld({ db: database.db, chains, now: Date.now })
    const watcher = watchPayments(world.deps, { tickMs: 10, recoverEveryMs: 20, restEveryMs: 20 })
    for (const { state } of [minted, onSolana]) await expect.poll(() => state.recoverCount).toBeGreaterThan(2)
    expect([local.state.recoverCount, unused.state.recoverCount]).toEqual([0, 0])
    await watcher.stop()
  })

  test('behavior: what a chain has lost is sent again even if it cannot be searched', async () => {
    const { chain, world } = await open()
    chain.port.getHead = () => Promise.reject(new Error('no head'))
    const watcher = watchPayments(world.deps, {
      tickMs: 10,
      maxBackOffMs: 10,
      recoverEveryMs: 20,
      restEveryMs: 20,
    })
    await expect.poll(() => chain.state.recoverCount).toBeGreaterThan(2)
    await watcher.stop()
  })

  test('behavior: payments are found even if nothing can be sent again', async () => {
    const { chain, world, pay, phase } = await open()
    let tries = 0
    chain.port.recover = async () => {
      tries++
      throw new Error('cannot send')
    }
    const watcher = watchPayments(world.deps, {
      tickMs: 10,
      maxBackOffMs: 10,
      recoverEveryMs: 10,
      restEveryMs: 10,
    })
    pay()
    await expect.poll(() => phase()).toBe('delivery')
    await expect.poll(() => tries).toBeGreaterThan(2)
    expect(world.logged.filter((line) => line.startsWith('cannot'))).toEqual([
      expect.stringMatching(/^cannot send again/),
    ])
    await watcher.stop()
  })

  test('behavior: payments do not wait for resends, however long these take', async () => {
    const { chain, world, pay, phase } = await open()
    let end = () => {}
    chain.port.recover = () =>
      new Promise((resolve) => {
        end = resolve
      })
    const watcher = watchPayments(world.deps, { tickMs: 10 })
    pay()
    await expect.poll(() => phase()).toBe('delivery')
    end()
    await watcher.stop()
  })

  test('behavior: a node that is away is logged once and found again', async () => {
    const { chain, world, pay, phase } = await open()
    let isAway = true
    let tries = 0
    Object.defineProperty(chain.state, 'isAway', {
      get: () => {
        tries++
        return isAway
      },
    })
    const watcher = watchPayments(world.deps, { tickMs: 10, maxBackOffMs: 20 })
    await expect.poll(() => tries).toBeGreaterThan(3)
    expect(world.logged.filter((line) => line.startsWith('cannot look'))).toHaveLength(1)
    isAway = false
    pay()
    await expect.poll(() => phase()).toBe('delivery')
    await expect.poll(() => world.logged).toContainEqual(expect.stringMatching(/^looking for payments again/))
    await watcher.stop()
  })

  test('behavior: stop waits for the search in progress', async () => {
    const { chain, world, pay } = await open()
    pay()
    let isLooking = false
    const { getHead } = chain.port
    chain.port.getHead = async () => {
      isLooking = true
      await new Promise((resolve) => setTimeout(resolve, 100))
      isLooking = false
      return getHead()
    }
    const watcher = watchPayments(world.deps, { tickMs: 10 })
    await expect.poll(() => isLooking).toBe(true)
    await watcher.stop()
    expect(isLooking).toBe(false)
  })
})
