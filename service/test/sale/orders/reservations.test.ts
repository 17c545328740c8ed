import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { collections, saleCounts, templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { deliverLineItem } from '#sale/orders/deliver.js'
import { correctReserved, listDifferingCounts } from '#sale/orders/recountReserved.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'

const price = 10n ** 16n
const limits = { rare: 5, tea: 12 }
/** The limits of the sale of tea. */
const most = { wallet: 8, payer: 9, phase: 10 }

/** A step of a random run. The numbers choose an order, a supply or an amount. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), pick: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), pick: fc.nat(50) }) },
  fc.record({ do: fc.constantFrom('mine', 'reorganise', 'wait', 'mint', 'deliver'), pick: fc.nat(3) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), pick: fc.nat(1) }) },
)

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let nowMs: number
  let url: string
  let database: OpenDatabase
  let another: OpenDatabase
  let fake: FakeChain
  let world: OrderWorld
  /** The same service as in another process, with its own connections. */
  let beside: Deps
  let templateId: string

  beforeAll(async () => {
    const opened = await kind.open()
    database = opened
    url = opened.url ?? ''
    another = await kind.open(url)
  })
  afterAll(async () => {
    await another.close()
    await database.close()
  })
  const start = async () => {
    nowMs = 1_800_000_000_000
    await clearDatabase(database.db)
    fake = createFakeChain({ now: () => nowMs, confirmations: 3 })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
    beside = { ...world.deps, db: another.db }
    await world.createCollection({ id: 'rare', supplyLimit: limits.rare })
    const { phase: maxTokens, ...maxPerBuyer } = most
    const sale = { maxPerBuyer, phases: [{ name: 'Early', maxTokens }] }
    await world.createCollection({ id: 'tea', supplyLimit: limits.tea, sale })
    templateId = await world.createTemplate({ collectionId: 'tea', supplyLimit: 4 })
  }
  beforeEach(start)

  const create = async (lineItems: { locator: string; quantity: number }[]) => {
    const { order } = await world.create({
      lineItems: lineItems.map(({ locator, quantity }) => ({
        collectionLocator: `kassa:${locator}`,
        callData: { quantity },
      })),
    })
    return order
  }
  const look = (deps: Deps) => lookForPayments(deps, fake.port, defaultWatchOptions)
  const mint = (deps: Deps) =>
    mintNft(deps, world.serverCall, {
      collectionId: 'rare',
      body: {
        recipient: `base-sepolia:${recipientAddress}`,
        metadata: { name: 'Direct', image: 'ipfs://picture' },
      },
    })
  /** Delivers all that is due, half of it in the other process. */
  const deliver = async () => {
    const due = world.queue.splice(0).filter(({ name }) => name === 'orders.deliver')
    await Promise.all(
      due.map(({ data }, at) =>
        deliverLineItem(at % 2 ? beside : world.deps)(data as { orderId: string; lineItemIndex: number }),
      ),
    )
  }
  const supplies = async () => {
    const columns = { allocated: collections.allocatedCount, reserved: collections.reservedCount }
    const rows = await database.db.select({ id: collections.id, ...columns }).from(collections)
    return Object.fromEntries(rows.map(({ id, ...counts }) => [id, counts]))
  }

  test('behavior: after any run, the counters are what a full count finds, and nothing is oversold', async () => {
    let maxReserved = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        await start()
        const orders: { orderId: string; units: bigint }[] = []
        for (const { do: what, pick } of steps) {
          if (what === 'create') {
            const items = [
              [{ locator: 'rare', quantity: 2 }],
              [{ locator: `tea:${templateId}`, quantity: 1 }],
              [
                { locator: 'tea', quantity: 1 },
                { locator: 'rare', quantity: 1 },
                { locator: `tea:${templateId}`, quantity: 2 },
              ],
              [{ locator: 'tea', quantity: 3 }],
            ][pick]
            const { orderId, quote } = await create(items ?? [])
            const amount = quote.totalPrice ? BigInt(Math.round(Number(quote.totalPrice.amount) * 100)) : 1n
            orders.push({ orderId, units: amount * price })
          }
          const order = orders[pick % (orders.length || 1)]
          // Some payments are half of the price, and two of those are the whole.
          if (what === 'pay' && order) {
            fake.pay({
              orderId: order.orderId,
              currency: 'eth',
              units: pick ? order.units : order.units / 2n,
            })
          }
          if (what === 'mine') fake.mine(pick + 1)
          if (what === 'reorganise') fake.reorganise(pick + 1)
          if (what === 'wait') nowMs += (pick * world.deps.config.quoteTtlMs) / 2
          if (what === 'mint') await mint(world.deps).catch((error) => expect(error.code).toBe('conflict'))
          if (what === 'deliver') await deliver()
          if (what === 'look') {
            if (pick) await Promise.all([look(world.deps), look(beside), deliver()])
            else await look(world.deps)
          }
          const { rare, tea } = await supplies()
          maxReserved = Math.max(maxReserved, rare?.reserved ?? 0, tea?.reserved ?? 0)
          expect(rare?.allocated).toBeLessThanOrEqual(limits.rare)
          for (const { key, allocatedCount } of await database.db.select().from(saleCounts)) {
            expect(allocatedCount, key).toBeLessThanOrEqual(most[key.split(':')[0] as keyof typeof most])
          }
          expect(tea?.allocated).toBeLessThanOrEqual(limits.tea)
        }
        expect(await listDifferingCounts(database.db)).toEqual([])
      }),
      { numRuns: 12 },
    )
    // The runs are not all empty.
    expect(maxReserved).toBeGreaterThan(2)
  })

  test('behavior: of twelve buyers of five tokens at once, in two processes, five get one', async () => {
    const orders = await Promise.all(
      Array.from({ length: 12 }, () => create([{ locator: 'rare', quantity: 1 }])),
    )
    for (const { orderId } of orders) fake.payInSameBlock({ orderId, currency: 'eth', units: price })
    await Promise.all([look(world.deps), look(beside)])
    expect(await supplies()).toMatchObject({ rare: { allocated: 0, reserved: 12 } })
    const late = await create([{ locator: 'rare', quantity: 1 }])
    expect(late.quote.status).toBe('all-line-items-unavailable')
    await expect(mint(beside)).rejects.toMatchObject({ code: 'conflict' })
    fake.mine(3)
    await Promise.all([look(world.deps), look(beside)])
    await deliver()
    expect(await supplies()).toMatchObject({ rare: { allocated: 5, reserved: 0 } })
    const ended = await Promise.all(orders.map(({ orderId }) => world.get(orderId)))
    const statuses = ended.map(({ lineItems }) => lineItems[0]?.delivery.status)
    expect(statuses.filter((status) => status === 'completed')).toHaveLength(5)
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(7)
    expect(await listDifferingCounts(database.db)).toEqual([])
  })

  test('behavior: the creation of an order does not wait for a lock of its collection', async () => {
    await world.createCollection({ id: 'free' })
    const created = await database.db.transaction(async (tx) => {
      await tx.execute(sql`select from ${collections} for update`)
      return create([{ locator: 'free', quantity: 1 }])
    })
    expect(created.phase).toBe('payment')
  })

  test('behavior: counters that a process of another build left wrong are corrected', async () => {
    const { orderId } = await create([{ locator: `tea:${templateId}`, quantity: 2 }])
    fake.pay({ orderId, currency: 'eth', units: 2n * price })
    await look(world.deps)
    const corrected: object[] = []
    const log = { warn: (fields: object) => void corrected.push(fields) }
    await correctReserved(database.db, log)
    expect(corrected).toEqual([])
    await database.db.update(collections).set({ reservedCount: 9 })
    await database.db.update(templates).set({ reservedCount: 0 })
    await database.db.update(saleCounts).set({ reservedCount: 7 })
    await database.db.delete(saleCounts).where(eq(saleCounts.key, 'phase:Early'))
    const place = { projectId: world.projectId, collectionId: 'tea' }
    await correctReserved(database.db, log)
    expect(corrected).toHaveLength(6)
    expect(corrected).toEqual(
      expect.arrayContaining([
        { ...place, collectionId: 'rare', counter: 9, count: 0 },
        { ...place, counter: 9, count: 2 },
        { ...place, templateId, counter: 0, count: 2 },
        { ...place, key: `wallet:${recipientAddress}`, counter: 7, count: 2 },
        { ...place, key: expect.stringMatching(/^payer:0x/), counter: 7, count: 2 },
        { ...place, key: 'phase:Early', counter: 0, count: 2 },
      ]),
    )
    expect(await listDifferingCounts(database.db)).toEqual([])
  })

  test('behavior: a correction waits for a transaction that changes a counter', async () => {
    await create([{ locator: 'rare', quantity: 1 }])
    await database.db.update(collections).set({ reservedCount: 9 })
    const hold = {
      text: "update orders set phase = 'delivery'; update collections set reserved_count = reserved_count + 1 where id = 'rare'",
    }
    await meet(url, hold, [() => correctReserved(another.db, { warn: () => {} })])
    expect(await supplies()).toMatchObject({ rare: { reserved: 1 }, tea: { reserved: 0 } })
  })
})
