import { eq } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { nfts } from '#base/db/tables/index.js'
import type { WriteResult } from '#base/ports/write.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const price = 10n ** 16n
const confirmations = 5
const database = openBeforeAll(createTestDatabase)
let nowMs: number
const now = () => nowMs
let world: OrderWorld
let chain: FakeChain

const open = async (config = {}) => {
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now, config })
  await world.createCollection({ id: 'tea', supplyLimit: 1 })
}

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now, confirmations })
  await open()
})

/** An order whose payment is final, and that is not delivered. */
const buy = async (): Promise<string> => {
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: price })
  for (let block = 0; block < confirmations; block++) {
    chain.mine()
    await world.look()
  }
  return order.orderId
}

/** Keeps mints short of final until it is told how they end: as they did in their block, or otherwise. */
const holdMints = () => {
  let resolve = (_end: WriteResult | undefined): void => {}
  const end = new Promise<WriteResult | undefined>((tell) => {
    resolve = tell
  })
  let isHeld = false
  chain.state.untilFinal = () => {
    isHeld = true
    return end
  }
  return { resolve, isHeld: () => isHeld }
}

const listTokens = (orderId: string) =>
  database.db.select({ txId: nfts.txId }).from(nfts).where(eq(nfts.orderId, orderId))

const drainForLong = async () => {
  for (let minute = 0; minute < 30; minute++) {
    await world.drain()
    nowMs += 60_000
  }
}

const deliveryOf = async (orderId: string) => (await world.get(orderId)).lineItems[0]?.delivery

test('default: delivered in the first block of its mint, and swept once the block is final', async () => {
  const orderId = await buy()
  const held = holdMints()
  const draining = world.drain()
  await vi.waitFor(async () => expect((await world.get(orderId)).phase).toBe('completed'))
  expect(await deliveryOf(orderId)).toMatchObject({ status: 'completed', tokens: [{ tokenId: '1' }] })
  expect(await listTokens(orderId)).toHaveLength(1)
  held.resolve(undefined)
  expect(chain.sentOf('sweep')).toEqual([])
  await draining
  await world.drain()
  expect(chain.sentOf('sweep')).toHaveLength(1)
  expect(await listTokens(orderId)).toHaveLength(1)
  expect(await getLedger(world.deps, { orderId })).toMatchObject({ refused: [] })
})

test('behavior: killed before its block is final, it is followed again, and swept then', async () => {
  const orderId = await buy()
  chain.state.untilFinal = () => Promise.reject(new Error('killed'))
  await expect(world.drain()).rejects.toThrow('killed')
  expect((await world.get(orderId)).phase).toBe('completed')
  expect(chain.sentOf('sweep')).toEqual([])
  chain.state.untilFinal = async () => undefined
  await drainForLong()
  expect(chain.sentOf('mint')).toHaveLength(1)
  expect(chain.sentOf('sweep')).toHaveLength(1)
  expect(await listTokens(orderId)).toHaveLength(1)
})

test('behavior: another transaction minted it in the end', async () => {
  const orderId = await buy()
  const held = holdMints()
  const draining = world.drain()
  await vi.waitFor(async () => expect((await world.get(orderId)).phase).toBe('completed'))
  held.resolve({ status: 'succeeded', txId: '0xanother' })
  await draining
  expect(await deliveryOf(orderId)).toMatchObject({ status: 'completed', txId: '0xanother' })
  expect(await listTokens(orderId)).toEqual([{ txId: '0xanother' }])
})

test('behavior: taken back and refused, it is tried again and delivered once', async () => {
  const orderId = await buy()
  const held = holdMints()
  const draining = world.drain()
  await vi.waitFor(async () => expect((await world.get(orderId)).phase).toBe('completed'))
  chain.state.untilFinal = async () => undefined
  held.resolve({ status: 'failed', reason: 'Paused', txId: '0xreverted' })
  await draining
  expect(await world.get(orderId)).toMatchObject({ phase: 'delivery' })
  expect(await deliveryOf(orderId)).not.toHaveProperty('tokens')
  expect(await listTokens(orderId)).toEqual([])
  expect(chain.sentOf('sweep')).toEqual([])
  await drainForLong()
  expect(chain.sentOf('mint')).toMatchObject([{ key: `mint:${orderId}:0#2` }])
  expect(await deliveryOf(orderId)).toMatchObject({ status: 'completed', tokens: [{ tokenId: '1' }] })
  expect(await listTokens(orderId)).toHaveLength(1)
  expect(chain.sentOf('sweep')).toHaveLength(1)
  expect(chain.sentOf('refund')).toEqual([])
})

test('behavior: taken back and refused for good, its price goes back once, and its place is free', async () => {
  const orderId = await buy()
  const held = holdMints()
  const draining = world.drain()
  await vi.waitFor(async () => expect((await world.get(orderId)).phase).toBe('completed'))
  chain.state.refusals.set('mint', 'Paused')
  held.resolve({ status: 'failed', reason: 'Paused', txId: '0xreverted' })
  await draining
  await drainForLong()
  expect(await deliveryOf(orderId)).toMatchObject({ status: 'failed' })
  expect(chain.sentOf('refund')).toMatchObject([{ input: { units: price } }])
  expect(chain.sentOf('sweep')).toEqual([])
  chain.state.refusals.clear()
  chain.state.untilFinal = async () => undefined
  const second = await buy()
  await drainForLong()
  expect(await deliveryOf(second)).toMatchObject({ status: 'completed' })
})

test('parameters: KASSA_DELIVER_WHEN_FINAL', async () => {
  await clearDatabase(database.db)
  await open({ deliversWhenFinal: true })
  const orderId = await buy()
  const held = holdMints()
  const draining = world.drain()
  await vi.waitFor(() => expect(held.isHeld()).toBe(true))
  expect((await world.get(orderId)).phase).toBe('delivery')
  held.resolve(undefined)
  await draining
  expect((await world.get(orderId)).phase).toBe('completed')
})
