import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { ledgerCounts, ledgerEntries, ledgerTotals } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { readTotals, recountTotals, tidyTotals } from '#sale/ledger/totals.js'
import { bookColumns } from '#sale/orders/bookMoney.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const price = 10n ** 16n
const payerAddress = '0x00000000000000000000000000000000000000aa'
const log = { info: () => {} }

/** A step of a random run. The number chooses an order, an amount or a depth. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), pick: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), pick: fc.nat(50) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), pick: fc.nat(1) }) },
  fc.record({
    do: fc.constantFrom('mine', 'reorganise', 'refuseMints', 'rejectCoins', 'drain', 'wait', 'tidy'),
    pick: fc.nat(3),
  }),
)

describe.each(databaseKinds)('on $name', (kind) => {
  let nowMs: number
  let database: OpenDatabase
  let chain: FakeChain
  let world: OrderWorld

  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(() => database.close())
  const start = async () => {
    nowMs = 1_800_000_000_000
    await clearDatabase(database.db)
    chain = createFakeChain({ now: () => nowMs, confirmations: 2 })
    world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
    await world.createCollection({ id: 'tea', supplyLimit: 1 })
    await world.createCollection({ id: 'coffee' })
  }
  beforeEach(start)

  const create = async (locators: string[], currency = 'eth') =>
    world.create({
      lineItems: locators.map((locator) => ({ collectionLocator: `kassa:${locator}` })),
      payment: { method: 'base-sepolia', currency, payerAddress },
    })
  const buy = async () => {
    const { order } = await create(['coffee'])
    chain.pay({ orderId: order.orderId, currency: 'eth', units: price + 5n })
    chain.mine(2)
    await world.look()
    await world.drain()
    return order.orderId
  }
  const totals = async () => (await readTotals(database.db)).lines

  test('default: what was received, and what became of it', async () => {
    await buy()
    expect(await totals()).toEqual([
      {
        projectId: world.projectId,
        chain: 'base-sepolia',
        currency: 'eth',
        received: price + 5n,
        delivered: price,
        open: 0n,
        refunded: 5n,
        claimable: 0n,
        owed: 0n,
      },
    ])
  })

  test('behavior: after any purchases they are what a full count and the chains say', async () => {
    let received = 0n
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        await start()
        const orderIds: string[] = []
        for (const { do: what, pick } of steps) {
          if (what === 'create') {
            const items = [['tea'], ['coffee', 'tea'], ['coffee', 'coffee']][pick] ?? []
            orderIds.push((await create(items)).order.orderId)
          }
          const orderId = orderIds[pick % (orderIds.length || 1)]
          if (what === 'pay' && orderId !== undefined) {
            const units = [price, 2n * price, price / 3n, 2n * price + 7n][pick % 4] ?? price
            chain.pay({ orderId, currency: pick % 7 ? 'eth' : 'usdc', units })
          }
          if (what === 'mine') chain.mine(pick + 1)
          // A payment that is final is taken back only by a chain that is no local one.
          if (what === 'reorganise' && pick === 1) chain.reorganise(1)
          if (what === 'refuseMints') {
            if (pick) chain.state.refusals.delete('mint')
            else chain.state.refusals.set('mint', 'Refused')
          }
          if (what === 'rejectCoins') {
            if (pick) chain.state.refusing.delete(payerAddress)
            else chain.state.refusing.add(payerAddress)
          }
          if (what === 'drain') await world.drain()
          if (what === 'wait') nowMs += pick * 30 * 60_000
          if (what === 'tidy') await tidyTotals(database.db, log, nowMs)
          if (what === 'look') await world.look()
        }
        await tidyTotals(database.db, log, nowMs)
        expect(await database.db.$count(ledgerEntries)).toBe(0)
        const kept = await totals()
        expect(await recountTotals(database.db, nowMs)).toEqual([])
        expect(await totals()).toEqual(kept)
        received += kept.reduce((sum, line) => sum + line.received, 0n)
        for (const line of kept) {
          const { open, delivered, refunded, claimable, owed } = line
          expect(line.received - open - delivered - refunded - claimable - owed).toBe(0n)
        }
        await world.look()
        await world.drain()
        const audited = await getLedger(world.deps)
        const told = (await totals()).filter((line) => bookColumns.some((column) => line[column] !== 0n))
        for (const line of told) {
          const { received: all, delivered, open } = line
          expect(audited.totals.find(({ currency }) => currency === line.currency)).toMatchObject({
            received: all,
            delivered,
            open,
          })
        }
      }),
      { numRuns: 10 },
    )
    // The runs are not all empty.
    expect(received).toBeGreaterThan(price)
  })

  test('behavior: a planted difference is shown once, and corrected', async () => {
    await buy()
    await tidyTotals(database.db, log, nowMs)
    await database.db.update(ledgerTotals).set({ delivered: 3n })
    const line = { projectId: world.projectId, chain: 'base-sepolia', currency: 'eth' }
    expect(await recountTotals(database.db, nowMs)).toEqual([
      { line, column: 'delivered', total: 3n, counted: price },
    ])
    expect(await recountTotals(database.db, nowMs)).toEqual([])
    expect(await totals()).toMatchObject([{ delivered: price }])
  })

  test('behavior: the orders of an earlier build are counted once', async () => {
    await buy()
    await database.db.delete(ledgerEntries)
    await database.db.delete(ledgerCounts)
    expect(await readTotals(database.db)).toEqual({ lines: [] })
    await tidyTotals(database.db, log, nowMs)
    await tidyTotals(database.db, log, nowMs)
    expect(await readTotals(database.db)).toMatchObject({
      lines: [{ received: price + 5n, delivered: price, refunded: 5n }],
      countedAt: new Date(nowMs),
    })
  })

  test('parameters: projectId', async () => {
    await buy()
    expect((await readTotals(database.db, world.projectId)).lines).toHaveLength(1)
    expect((await readTotals(database.db, '00000000-0000-4000-8000-000000000000')).lines).toEqual([])
  })
})

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))(
  'in two processes on $name',
  (kind) => {
    test('behavior: entries are added once, while orders are written and counted', async () => {
      const database = await kind.open()
      const another = await kind.open(database.url)
      try {
        const nowMs = 1_800_000_000_000
        const chain = createFakeChain({ now: () => nowMs })
        const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
        const place = { projectId: world.projectId, chain: 'base-sepolia', currency: 'eth' }
        const nothing = { delivered: 0n, open: 0n, refunded: 0n, claimable: 0n, owed: 0n }
        const entry = { ...place, ...nothing, received: 1n }
        const write = () => another.db.insert(ledgerEntries).values(Array.from({ length: 500 }, () => entry))
        for (let round = 0; round < 4; round++) await write()
        await Promise.all([
          tidyTotals(database.db, log, nowMs),
          write(),
          tidyTotals(another.db, log, nowMs),
          write(),
          tidyTotals(database.db, log, nowMs),
        ])
        await tidyTotals(database.db, log, nowMs)
        const rows = await database.db.select().from(ledgerTotals).where(eq(ledgerTotals.currency, 'eth'))
        expect(rows).toEqual([{ ...entry, received: 3000n }])
      } finally {
        await another.close()
        await database.close()
      }
    })

    test('behavior: of two counts at once, one corrects the totals', async () => {
      const database = await kind.open()
      const another = await kind.open(database.url)
      try {
        const nowMs = 1_800_000_000_000
        const chain = createFakeChain({ now: () => nowMs })
        const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
        await world.createCollection({ id: 'coffee' })
        const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:coffee' } })
        chain.pay({ orderId: order.orderId, currency: 'eth', units: price })
        await world.look()
        await database.db.execute(sql`truncate ledger_entries, ledger_totals`)
        // Both read before either writes.
        const ended = await database.db.transaction(async (tx) => {
          await tx.execute(sql`lock table ledger_counts in exclusive mode`)
          const both = [recountTotals(another.db, nowMs), recountTotals(another.db, nowMs)]
          const settled = Promise.allSettled(both)
          for (let waiting = 0; waiting < 2; ) {
            const { rows } = await database.executeSql(
              "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
            waiting = (rows as { count: number }[])[0]?.count ?? 0
          }
          return { settled }
        })
        const outcomes = (await ended.settled).map(({ status }) => status).sort()
        expect(outcomes).toEqual(['fulfilled', 'rejected'])
        expect((await readTotals(database.db)).lines).toMatchObject([{ received: price, open: price }])
      } finally {
        await another.close()
        await database.close()
      }
    })
  },
)
