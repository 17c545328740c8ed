import { beforeEach, expect, test } from 'vitest'
import { chainCursors } from '#base/db/tables/index.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)

let nowMs: number
let chain: FakeChain
let world: OrderWorld

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await database.db.delete(chainCursors)
  // A payment is final in its second block.
  chain = createFakeChain({ now: () => nowMs, confirmations: 2 })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
})

const pay = (orderId: string, percent: bigint) =>
  chain.pay({ orderId, currency: 'eth', units: percent * 10n ** 14n })

/** An order of which six tenths were paid, a second before the end of its quote. */
const openHalfPaid = async () => {
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
  pay(order.orderId, 60n)
  chain.mine(2)
  await world.look()
  expect((await world.get(order.orderId)).payment).toMatchObject({
    status: 'awaiting-payment',
    received: { amount: '0.006' },
  })
  nowMs = Date.parse(order.quote.expiresAt ?? '') - 1_000
  return order.orderId
}

const refundsOf = () => chain.sent.filter(({ kind }) => kind === 'refund')

/** Runs the jobs that are due within a minute, the longest time until a job looks again. */
const drainLater = async (ms = 60_000) => {
  nowMs += ms
  await world.drain()
}

test('default: a payment in time completes the price, though it is seen after the jobs of the end have run', async () => {
  const orderId = await openHalfPaid()
  pay(orderId, 40n)
  await drainLater(1_001)
  expect(await world.get(orderId)).toMatchObject({
    phase: 'quote',
    quote: { status: 'expired' },
    payment: { failureReason: { code: 'underpaid' } },
  })
  await drainLater()
  expect(refundsOf()).toEqual([])
  chain.mine(2)
  await world.look()
  await drainLater()
  expect(await world.get(orderId)).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
  expect(refundsOf()).toEqual([])
})

test.each([
  ['is final', 1, true],
  ['was searched', 2, false],
])('behavior: the part goes back once a block after the end %s', async (_, blocks, isSearched) => {
  const orderId = await openHalfPaid()
  await drainLater(1_001)
  chain.mine(blocks)
  if (isSearched) await world.look()
  await drainLater()
  expect(refundsOf()).toEqual([])
  chain.mine(2 - blocks)
  await world.look()
  await drainLater()
  expect(refundsOf()).toMatchObject([{ input: { orderId, units: 60n * 10n ** 14n } }])
  expect(world.queue.filter(({ name }) => name === 'orders.returnParts')).toEqual([])
  expect(await world.get(orderId)).toMatchObject({
    phase: 'quote',
    payment: { refunded: { amount: '0.006' }, failureReason: { code: 'underpaid' } },
  })
})

test('behavior: while the chain is away, the part waits', async () => {
  const orderId = await openHalfPaid()
  pay(orderId, 40n)
  chain.mine(3)
  chain.state.isAway = true
  await expect(drainLater(1_001)).rejects.toMatchObject({ code: 'chain-unavailable' })
  chain.state.isAway = false
  await world.look()
  await drainLater()
  expect(await world.get(orderId)).toMatchObject({ phase: 'completed' })
  expect(refundsOf()).toEqual([])
})

test('behavior: where payments are not looked for any more, the part goes back', async () => {
  await openHalfPaid()
  await drainLater(1_001)
  await database.db.update(chainCursors).set({ blockNumber: null })
  await drainLater()
  expect(refundsOf()).toHaveLength(1)
})
