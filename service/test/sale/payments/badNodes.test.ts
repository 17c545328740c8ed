import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chainCursors, leases } from '#base/db/tables/index.js'
import type { WatchOptions } from '#sale/payments/watched.js'
import { type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startAnnouncer } from '../../helpers/startAnnouncer.js'
import { startCountingNode } from '../../helpers/startCountingNode.js'

const chain = openBeforeAll(createTestChain)
let node: Awaited<ReturnType<typeof startCountingNode>>
let announcer: Awaited<ReturnType<typeof startAnnouncer>>
let world: OrderWorld
let watcher: PaymentWatcher | undefined
const closing: (() => unknown)[] = []

const create = async (payerAddress: string) => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    payment: { method: 'base-sepolia', currency: 'eth', payerAddress },
  })
  return { orderId: order.orderId, transaction: order.payment.preparation?.serializedTransaction ?? '' }
}
/** Creates orders of payers who lack funds, and whose pages stay open. */
const createPoor = async (count: number) => {
  for (let each = 0; each < count; each++) {
    const { orderId } = await create(privateKeyToAccount(generatePrivateKey()).address)
    await world.get(orderId)
  }
}
const open = async ({ isAnnounced = false } = {}) => {
  const port = chain.open({
    rpcUrl: async () => node.url,
    isLocal: false,
    headsUrl: () => (isAnnounced ? announcer.url : undefined),
    close: async () => {},
  })
  closing.push(port.close)
  world = await createOrderWorld({ db: chain.db, chains: [port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  return port
}
const watch = (options: Partial<WatchOptions> = {}) => {
  watcher = watchPayments(world.deps, { tickMs: 50, headEveryMs: 20, fundsEveryMs: 100, ...options })
}
const mine = async () => {
  await chain.client.mine({ blocks: 1 })
  announcer.announce(await chain.client.getBlockNumber({ cacheTime: 0 }))
}
const isSeen = async (orderId: string) => !['payment', 'quote'].includes((await world.get(orderId)).phase)
const searched = async () => {
  const [row] = await chain.db.select().from(chainCursors).where(eq(chainCursors.chain, 'base-sepolia'))
  return row?.blockNumber
}
/** Pays while a node behaves badly, and expects that the payment is seen all the same. */
const expectPaid = async (orderId: string, pay: () => Promise<unknown>) => {
  await pay()
  announcer.announce(await chain.client.getBlockNumber({ cacheTime: 0 }))
  await expect.poll(() => isSeen(orderId), { interval: 20 }).toBe(true)
}

beforeEach(async () => {
  await clearDatabase(chain.db)
  node = await startCountingNode(await chain.node.rpcUrl())
  announcer = await startAnnouncer()
})
afterEach(async () => {
  await watcher?.stop()
  watcher = undefined
  for (const close of closing.splice(0)) await close()
  await chain.db.delete(leases)
  announcer.close()
  await node.close()
})

test('default: a payment is seen though the funds of other payers are never told', async () => {
  await open()
  const payer = await chain.createPayer()
  const { orderId, transaction } = await create(payer.address)
  await createPoor(5)
  let tell = () => {}
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  let isHeld = false
  node.faults.hold = (methods) => {
    if (!methods.includes('eth_getBalance')) return undefined
    isHeld = true
    return told
  }
  watch()
  await expect.poll(() => isHeld).toBe(true)
  await expectPaid(orderId, () => payer.pay(transaction))
  node.faults.hold = () => undefined
  tell()
})

test('behavior: a node that takes 300 ms for an answer is asked few things at once', async () => {
  await open()
  const payer = await chain.createPayer()
  const { orderId, transaction } = await create(payer.address)
  await createPoor(10)
  node.faults.delayMs = 300
  watch()
  await mine()
  await expect.poll(searched).toBe(await chain.client.getBlockNumber({ cacheTime: 0 }))
  node.reset()
  await expectPaid(orderId, () => payer.pay(transaction))
  // The search, the check of funds and what repairs writes have one request each, and each block one more of its batch.
  expect(node.counted.most).toBeLessThanOrEqual(6)
})

test('behavior: a node that answers 10 requests a second is not asked for many more', async () => {
  await open()
  const payer = await chain.createPayer()
  const { orderId, transaction } = await create(payer.address)
  await createPoor(20)
  node.faults.perSecond = 10
  node.reset()
  const startMs = performance.now()
  watch({ tickMs: 1_000, headEveryMs: 500, fundsEveryMs: 3_000 })
  for (let block = 0; block < 8; block++) {
    await mine()
    await sleep(500)
  }
  await expectPaid(orderId, () => payer.pay(transaction))
  const seconds = (performance.now() - startMs) / 1_000
  expect(node.counted.requests).toBeLessThanOrEqual(10 * seconds + 20)
  expect(node.counted.refused).toBeLessThanOrEqual(10)
})

test('behavior: while a node refuses everything, it is asked less and less, and then found again', async () => {
  await open()
  const payer = await chain.createPayer()
  const { orderId, transaction } = await create(payer.address)
  watch({ tickMs: 50, maxBackOffMs: 2_000 })
  await mine()
  await expect.poll(searched).toBe(await chain.client.getBlockNumber({ cacheTime: 0 }))
  node.faults.perSecond = 0
  await payer.pay(transaction)
  node.reset()
  await sleep(3_000)
  // Without a pause that grows, each of several loops would ask 20 times a second.
  expect(node.counted.requests).toBeLessThanOrEqual(40)
  node.faults.perSecond = Number.POSITIVE_INFINITY
  await expect.poll(() => isSeen(orderId), { interval: 20 }).toBe(true)
})

test('behavior: a node that drops its subscription is asked for its newest block until it announces again', async () => {
  const port = await open({ isAnnounced: true })
  const payer = await chain.createPayer()
  const [first, second] = [await create(payer.address), await create(payer.address)]
  watch()
  await expect.poll(() => port.announcesHeads?.()).toBe(true)
  announcer.drop(true)
  await expect.poll(() => port.announcesHeads?.()).toBe(false)
  await expectPaid(first.orderId, () => payer.pay(first.transaction))
  // This block is announced to nobody, because the node takes the subscription a moment later.
  await payer.pay(second.transaction)
  announcer.allow()
  await expect.poll(() => isSeen(second.orderId), { interval: 20 }).toBe(true)
  await expect.poll(() => port.announcesHeads?.()).toBe(true)
  node.reset()
  const from = await chain.client.getBlockNumber({ cacheTime: 0 })
  for (let block = 0; block < 3; block++) await mine()
  await expect.poll(searched).toBe(from + 3n)
  expect(node.counted.requests).toBeLessThanOrEqual(30)
})

test('behavior: a node a minute behind shows a payment once it has its block, and is asked no more often', async () => {
  await open()
  const payer = await chain.createPayer()
  const { orderId, transaction } = await create(payer.address)
  watch({ behindEveryMs: 60_000 })
  for (let block = 0; block < 3; block++) await mine()
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  await expect.poll(searched).toBe(head)
  node.faults.behind = 30
  await payer.pay(transaction)
  node.reset()
  await expect
    .poll(() => node.counted.calls.filter((method) => method === 'eth_blockNumber').length)
    .toBeGreaterThan(20)
  // It is behind what was searched, so the search waits.
  expect(node.counted.calls.filter((method) => method === 'eth_getLogs').length).toBeLessThanOrEqual(2)
  expect(await searched()).toBe(head)
  for (let block = 0; block < 30; block++) await mine()
  await expect.poll(() => isSeen(orderId), { interval: 20 }).toBe(true)
  // The payment is recorded before the block that was searched.
  await expect.poll(searched).toBeGreaterThan(head)
})
