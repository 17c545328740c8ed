import { getBase58Decoder } from '@solana/kit'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { chainCursors } from '#base/db/tables/index.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { lookAtHints } from '#sale/payments/lookAtHints.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { recheckFunds } from '#sale/payments/recheckFunds.js'
import { defaultWatchOptions, type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startCountingNode } from '../../helpers/startCountingNode.js'

const minuteMs = 60_000
const solana = openBeforeAll(createTestSolana)
const node = openBeforeAll(() => startCountingNode(solana.node.rpcUrl))
let watcher: PaymentWatcher | undefined
afterEach(async () => {
  await watcher?.stop()
})

const open = async (now: () => number) => {
  const port = solana.open({ rpcUrl: async () => node.url, isLocal: false })
  const world = await createOrderWorld({ db: solana.db, chains: [port], now })
  await world.createCollection({ id: `tea-${now()}`, chain: 'solana', price: '0.5', currency: 'sol' })
  const collectionLocator = `kassa:tea-${now()}`
  return {
    port,
    world,
    create: async (payerAddress: string) => {
      const payment = { method: 'solana', currency: 'sol', payerAddress }
      const { order } = await world.create({
        lineItems: { collectionLocator },
        recipient: { walletAddress: payerAddress },
        payment,
      })
      return {
        orderId: order.orderId,
        transaction: order.payment.preparation?.serializedTransaction ?? '',
      }
    },
  }
}
const cursor = async () => {
  const [row] = await solana.db.select().from(chainCursors).where(eq(chainCursors.chain, 'solana'))
  return row
}

test('default: a search, the funds of 20 payers, and 20 reported transactions take few requests', async () => {
  const atMs = Date.now()
  const { port, world, create } = await open(() => atMs)
  const payers = await Promise.all(
    Array.from({ length: 20 }, () => solana.createPayer({ lamports: 1_000_000n, tokens: 0n })),
  )
  const created = []
  for (const { address } of payers) created.push(await create(address))
  const look = () => lookForPayments(world.deps, port, defaultWatchOptions)
  // So that the pace of the slots can be measured, and is measured once.
  await expect.poll(() => port.getHeadNumber()).toBeGreaterThan(400n)
  solana.stopTime()
  await look()
  node.reset()
  await look()
  solana.startTime()
  expect(node.counted.calls.sort()).toEqual([
    'getBlock',
    'getBlocks',
    'getMultipleAccounts',
    'getSignaturesForAddress',
    'getSlot',
    'getSlot',
    'getSlot',
  ])
  const recheck = () => recheckFunds(world.deps, 'solana', { limit: 50 })
  await recheck()
  node.reset()
  await recheck()
  expect(node.counted.calls).toEqual(['getMultipleAccounts'])
  for (let each = 0; each < 20; each++) {
    const txId = getBase58Decoder().decode(new Uint8Array(64).fill(each + 1))
    const body = { type: 'crypto-tx-id', txId } as const
    await reportPayment(world.deps, world.serverCall, { orderId: created[0]?.orderId ?? '', body })
  }
  node.reset()
  await lookAtHints(world.deps, port, 20)
  expect(node.counted.calls).toEqual(['getSignatureStatuses'])
})

test('behavior: at rest it asks for nothing, and once in ten minutes for late payments', async () => {
  let aheadMs = 0
  let ticks = 0
  const startMs = Date.now() + minuteMs
  const now = () => startMs + aheadMs
  const { world, create } = await open(now)
  const payer = await solana.createPayer()
  const { orderId, transaction } = await create(payer.address)
  const counting = {
    ...world.deps,
    now: () => {
      ticks++
      return now()
    },
  }
  const waitForTicks = async () => {
    const from = ticks
    await expect.poll(() => ticks - from, { interval: 10 }).toBeGreaterThan(60)
  }
  watcher = watchPayments(counting, { tickMs: 20, recoverEveryMs: 20 })
  aheadMs += 11 * minuteMs
  await expect.poll(async () => (await world.get(orderId)).quote.status).toBe('expired')
  await waitForTicks()
  aheadMs += 3 * 60 * minuteMs
  const before = await cursor()
  await expect.poll(async () => +((await cursor())?.lateAt ?? 0)).toBeGreaterThan(+(before?.lateAt ?? 0))
  await waitForTicks()
  node.reset()
  aheadMs += 10 * minuteMs
  const last = await cursor()
  await expect.poll(async () => +((await cursor())?.lateAt ?? 0)).toBeGreaterThan(+(last?.lateAt ?? 0))
  await waitForTicks()
  // The heads and accounts of two searches, the pace of the slots, and what the operator has written.
  expect(node.counted.requests, node.counted.calls.join()).toBeLessThanOrEqual(16)
  node.reset()
  await payer.pay(transaction)
  await waitForTicks()
  expect(node.counted.calls).toEqual([])
  aheadMs += 10 * minuteMs
  await expect
    .poll(async () => (await world.get(orderId)).payment.received?.amount, { interval: 20 })
    .toBe('0.5')
})
