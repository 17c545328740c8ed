import { eq } from 'drizzle-orm'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainCursors, leases } from '#base/db/tables/index.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { lookAtHints } from '#sale/payments/lookAtHints.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { recheckFunds } from '#sale/payments/recheckFunds.js'
import { defaultWatchOptions, type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startAnnouncer } from '../../helpers/startAnnouncer.js'
import { startCountingNode } from '../../helpers/startCountingNode.js'

const minuteMs = 60_000
const chain = openBeforeAll(createTestChain)
const node = openBeforeAll(async () => startCountingNode(await chain.node.rpcUrl()))
const announcer = openBeforeAll(async () => {
  const opened = await startAnnouncer()
  return { ...opened, close: async () => opened.close() }
})
let aheadMs = 0
let ticks = 0
let world: OrderWorld
let watcher: PaymentWatcher | undefined

/** Opens the service on a node of a provider, which may announce its blocks. */
const open = async (headsUrl?: () => string) => {
  const port = chain.open({
    rpcUrl: async () => node.url,
    isLocal: false,
    finality: 'safe',
    headsUrl,
    close: async () => {},
  })
  const now = () => {
    ticks++
    return Date.now() + aheadMs
  }
  world = await createOrderWorld({ db: chain.db, chains: [port], now })
  await world.createCollection({ id: 'tea' })
  return port
}
const create = async (payerAddress: string, currency = 'eth') => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    payment: { method: 'base-sepolia', currency, payerAddress },
  })
  return { orderId: order.orderId, transaction: order.payment.preparation?.serializedTransaction ?? '' }
}
const poorAddress = () => privateKeyToAccount(generatePrivateKey()).address
const headNumber = () => chain.client.getBlockNumber({ cacheTime: 0 })
const cursor = async () => {
  const [row] = await chain.db.select().from(chainCursors).where(eq(chainCursors.chain, 'base-sepolia'))
  return row
}
/** Waits until the watcher has decided several times what to do. */
const waitForTicks = async (): Promise<void> => {
  const from = ticks
  await expect.poll(() => ticks - from, { interval: 10 }).toBeGreaterThan(60)
}
/** Waits until every block was searched, and what that made the service do is over. */
const settle = async (): Promise<void> => {
  const head = await headNumber()
  await expect.poll(async () => (await cursor())?.blockNumber).toBe(head)
  await waitForTicks()
}
const look = () => {
  const port = world.deps.chains.get('base-sepolia')
  if (!port) throw new Error('the chain is not enabled')
  return lookForPayments(world.deps, port, defaultWatchOptions)
}
const methods = () => [...new Set(node.counted.calls)].sort()

beforeAll(async () => {
  // The chain has a safe block from here on.
  await chain.client.mine({ blocks: 100 })
})
beforeEach(async () => {
  await clearDatabase(chain.db)
  aheadMs = 0
})
afterEach(async () => {
  await watcher?.stop()
  watcher = undefined
  await chain.db.delete(leases)
})

describe('one operation', () => {
  test('default: a search of a new block takes two requests, with a payment in it and without', async () => {
    await open()
    const payer = await chain.createPayer()
    const { orderId, transaction } = await create(payer.address)
    await look()
    await chain.client.mine({ blocks: 1 })
    node.reset()
    await look()
    expect(node.counted.requests).toBe(2)
    expect(node.counted.calls.sort()).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getLogs',
      'eth_getLogs',
    ])
    await payer.pay(transaction)
    node.reset()
    await look()
    expect(node.counted.requests).toBe(2)
    expect((await world.get(orderId)).payment.status).toBe('in-progress')
  })

  test('behavior: the payers of 20 orders are asked about in one request, and again when they hold more', async () => {
    await open()
    const payers = await Promise.all(Array.from({ length: 20 }, () => chain.createPayer(0n)))
    const created = await Promise.all(payers.map(({ address }) => create(address)))
    const recheck = async () => {
      node.reset()
      await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
      return node.counted.requests
    }
    await recheck()
    expect(await recheck()).toBe(1)
    expect(node.counted.calls).toEqual(Array.from({ length: 20 }, () => 'eth_getBalance'))
    await chain.client.setBalance({ address: payers[7]?.address ?? '0x', value: 10n ** 18n })
    await recheck()
    expect(node.counted.calls.filter((method) => method === 'eth_estimateGas')).toHaveLength(1)
    expect((await world.get(created[7]?.orderId ?? '')).payment.status).toBe('awaiting-payment')
    expect((await world.get(created[8]?.orderId ?? '')).payment.status).toBe(
      'crypto-payer-insufficient-funds',
    )
  })

  test('behavior: 20 reported transactions are asked about in one request', async () => {
    const port = await open()
    const { orderId } = await create(poorAddress())
    await look()
    for (let each = 0; each < 20; each++) {
      const body = { type: 'crypto-tx-id', txId: `0x${`${each + 10}`.repeat(32)}` } as const
      await reportPayment(world.deps, world.serverCall, { orderId, body })
    }
    node.reset()
    await lookAtHints(world.deps, port, 20)
    expect(node.counted.requests).toBe(1)
  })
})

describe('the watcher', () => {
  const watch = (recoverEveryMs = 60 * minuteMs) => {
    watcher = watchPayments(world.deps, { tickMs: 20, headEveryMs: 20, fundsEveryMs: 20, recoverEveryMs })
  }
  /** The order's quote ran out long ago, and only late payments can come. */
  const rest = async (orderId: string) => {
    aheadMs += 11 * minuteMs
    await expect.poll(async () => (await world.get(orderId)).quote.status).toBe('expired')
    await waitForTicks()
    aheadMs += 3 * 60 * minuteMs
    const before = await cursor()
    await expect.poll(async () => +((await cursor())?.lateAt ?? 0)).toBeGreaterThan(+(before?.lateAt ?? 0))
    await waitForTicks()
  }

  test('default: while an order can be paid, the number of the newest block is all that it asks for', async () => {
    await open()
    await create((await chain.createPayer()).address)
    watch()
    await chain.client.mine({ blocks: 1 })
    await settle()
    node.reset()
    await waitForTicks()
    expect(methods()).toEqual(['eth_blockNumber'])
    await chain.client.mine({ blocks: 1 })
    await settle()
    expect(node.counted.calls.filter((method) => method !== 'eth_blockNumber')).toHaveLength(4)
  })

  test('behavior: where blocks are announced, it asks for nothing between them, and twice for each', async () => {
    const port = await open(() => announcer.url)
    await create((await chain.createPayer()).address)
    watch()
    await expect.poll(() => port.announcesHeads?.()).toBe(true)
    await chain.client.mine({ blocks: 1 })
    announcer.announce(await headNumber())
    await settle()
    node.reset()
    await waitForTicks()
    expect(node.counted.calls).toEqual([])
    for (let block = 1; block <= 3; block++) {
      await chain.client.mine({ blocks: 1 })
      announcer.announce(await headNumber())
      await settle()
      expect(node.counted.requests).toBe(2 * block)
    }
    await port.close()
  })

  test.each([
    ['without announcements', undefined],
    ['with announcements', () => announcer.url],
  ])(
    'behavior: at rest it asks for nothing, and once in ten minutes for late payments, %s',
    async (_, url) => {
      const port = await open(url)
      const payer = await chain.createPayer()
      const { orderId, transaction } = await create(payer.address)
      watch(20)
      await chain.client.mine({ blocks: 1 })
      await settle()
      await rest(orderId)
      node.reset()
      await chain.client.mine({ blocks: 300 })
      announcer.announce(await headNumber())
      const before = await cursor()
      aheadMs += 10 * minuteMs
      await expect.poll(async () => +((await cursor())?.lateAt ?? 0)).toBeGreaterThan(+(before?.lateAt ?? 0))
      await waitForTicks()
      // Four of the searches and three of what recovers the service's own transactions, which may share one.
      expect(node.counted.requests, node.counted.calls.join()).toBeLessThanOrEqual(7)
      expect(node.counted.calls).toHaveLength(11)
      node.reset()
      await payer.pay(transaction)
      await chain.client.mine({ blocks: 100 })
      announcer.announce(await headNumber())
      await waitForTicks()
      expect(node.counted.calls).toEqual([])
      aheadMs += 10 * minuteMs
      await expect
        .poll(async () => (await world.get(orderId)).payment.received?.amount, { interval: 20 })
        .toBe('0.01')
      await port.close()
    },
  )

  test('behavior: a chain on which nothing was ever to be paid is asked for nothing', async () => {
    await open()
    const unused = chain.open({ chain: 'polygon-amoy', rpcUrl: async () => node.url, isLocal: false })
    world = await createOrderWorld({ db: chain.db, chains: [unused], now: world.deps.now })
    watch()
    node.reset()
    await waitForTicks()
    expect(node.counted.calls).toEqual([])
  })

  test('behavior: a new order wakes it at once', async () => {
    await open()
    const earlier = await create(poorAddress())
    watch()
    await settle()
    await rest(earlier.orderId)
    const payer = await chain.createPayer()
    const { orderId, transaction } = await create(payer.address)
    await payer.pay(transaction)
    await expect
      .poll(async () => (await world.get(orderId)).payment.status, { interval: 20 })
      .toBe('in-progress')
  })
})
