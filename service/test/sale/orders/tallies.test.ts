import { readFile } from 'node:fs/promises'
import { and, count, eq, gte, sql } from 'drizzle-orm'
import { fromBaseUnits } from 'kassa/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres } from '#adapters/postgres/openPostgres.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { migrationsFolder } from '#base/db/schemaState.js'
import { nfts, orders, tallyEntries, webhookDeliveries } from '#base/db/tables/index.js'
import { foldTallies, talliesOf } from '#base/db/tally.js'
import { readCounts } from '#entry/metrics/readCounts.js'
import { listNfts } from '#goods/nfts/findNft.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { forgetEvents } from '#notify/webhooks/forgetEvents.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { getSummary } from '#sale/orders/getSummary.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { isSold, refundedUnits, totalUnits } from '#sale/orders/soldOrders.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { takeBackup } from '../../helpers/takeBackup.js'

const unit = 10n ** 16n
const startMs = 1_800_000_000_000
const minuteMs = 60_000
const noOrders = { quote: 0, payment: 0, delivery: 0, completed: 0 }
let nowMs: number

const openWorld = async (database: OpenDatabase) => {
  const chain = createFakeChain({ now: () => nowMs })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  await world.createCollection({ id: 'cake', price: '0.02' })
  await createEndpoint(world.deps, {
    projectId: world.projectId,
    url: 'https://shop.example/hook',
    eventTypes: ['orders.payment.succeeded', 'orders.delivery.completed', 'orders.refund.succeeded'],
  })
  return { world, chain }
}

/** Counts one by one what the summary of a project tells of its orders. */
const countOrders = async ({ db }: OpenDatabase, projectId: string, since: Date) => {
  const isIn = and(eq(orders.projectId, projectId), gte(orders.createdAt, since))
  const byPhase = await db
    .select({ phase: orders.phase, count: count() })
    .from(orders)
    .where(isIn)
    .groupBy(orders.phase)
  const currency = sql<string>`${orders.document} #>> '{payment,currency}'`
  const decimals = sql<number>`(${orders.document} #>> '{payment,decimals}')::int`
  const sold = await db
    .select({
      chain: orders.chain,
      currency,
      decimals,
      count: count(),
      units: sql<string>`sum(${totalUnits})::text`,
      refunded: sql<string>`sum(${refundedUnits})::text`,
    })
    .from(orders)
    .where(and(isIn, isSold))
    .groupBy(orders.chain, currency, decimals)
    .orderBy(orders.chain, currency)
  return {
    orders: { ...noOrders, ...Object.fromEntries(byPhase.map((row) => [row.phase, row.count])) },
    sales: sold.map((row) => ({
      chain: row.chain,
      currency: row.currency,
      orders: row.count,
      amount: fromBaseUnits(BigInt(row.units), row.decimals),
      refunded: fromBaseUnits(BigInt(row.refunded), row.decimals),
      net: fromBaseUnits(BigInt(row.units) - BigInt(row.refunded), row.decimals),
    })),
  }
}

const sortNames = <Row extends object>(rows: readonly Row[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()

/** Compares every count with one that counts one by one. */
const expectExact = async (database: OpenDatabase, { deps, projectId, serverCall }: OrderWorld) => {
  const { db } = database
  for (const agoMs of [0, 10 * minuteMs, 60 * minuteMs, 100 * minuteMs, 30 * 24 * 60 * minuteMs]) {
    const since = new Date(nowMs - agoMs)
    const { orders, sales } = await getSummary(deps, serverCall, { since })
    expect({ orders, sales }).toEqual(await countOrders(database, projectId, since))
  }
  const counts = await readCounts(database.executeSql)
  const phases = await db.select({ phase: orders.phase, count: count() }).from(orders).groupBy(orders.phase)
  expect(sortNames(counts.orders)).toEqual(sortNames(phases))
  const outcomes = await db
    .select({ outcome: webhookDeliveries.status, count: count() })
    .from(webhookDeliveries)
    .groupBy(webhookDeliveries.status)
  expect(sortNames(counts.deliveries)).toEqual(sortNames(outcomes))
  for (const collectionId of ['tea', 'cake']) {
    const isOwn = and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId))
    const tallied = (await db.execute(
      sql`select coalesce(sum(count), 0)::int as count from ${talliesOf('tokens', `${projectId}/${collectionId}`)} as tally`,
    )) as unknown as { rows: { count: number }[] }
    expect(tallied.rows[0]?.count).toBe(await db.$count(nfts, isOwn))
  }
}

describe.each(databaseKinds)('on $name', (kind) => {
  let database: OpenDatabase
  let world: OrderWorld
  let chain: FakeChain
  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    nowMs = startMs
    ;({ world, chain } = await openWorld(database))
  })

  const create = async (items: readonly string[], body: Record<string, unknown> = {}) => {
    nowMs += 17 * minuteMs
    const lineItems = items.map((id) => ({ collectionLocator: `kassa:${id}` }))
    return (await world.create({ lineItems, ...body })).order.orderId
  }
  const pay = async (orderId: string, units: bigint, currency = 'eth') => {
    chain.pay({ orderId, currency, units })
    await world.look()
  }

  test('behavior: orders, tokens and deliveries are counted exactly, whatever becomes of them', async () => {
    const steps: (() => Promise<unknown>)[] = []
    const known: string[] = []
    let restore = async () => {}
    const step = (work: () => Promise<unknown>) => void steps.push(work)
    step(async () => known.push(await create(['tea'])))
    step(() =>
      editOrder(world.deps, world.serverCall, {
        orderId: known[0] ?? '',
        body: { payment: { method: 'base-sepolia', currency: 'usdc', payerAddress } },
      }),
    )
    step(() => pay(known[0] ?? '', 30_000_000n, 'usdc'))
    step(() => world.drain())
    step(() => foldTallies(database.db))
    step(() => createRefund(world.deps, world.serverCall, { orderId: known[0] ?? '', body: { amount: '5' } }))
    step(() => world.drain())
    step(async () => known.push(await create(['tea', 'cake'])))
    step(() => world.endQuote(known[1] ?? ''))
    step(async () => {
      restore = await takeBackup(database.db)
    })
    const manual = { payment: { method: 'base-sepolia', currency: 'eth', payerAddress, capture: 'manual' } }
    step(async () => known.push(await create(['tea'], manual)))
    step(() => pay(known[2] ?? '', unit))
    step(() => captureOrder(world.deps, world.serverCall, { orderId: known[2] ?? '' }))
    step(async () => known.push(await create(['cake'], manual)))
    step(() => pay(known[3] ?? '', 2n * unit))
    step(() => voidOrder(world.deps, world.serverCall, { orderId: known[3] ?? '' }))
    step(() => world.drain())
    step(async () => {
      chain.state.refusals.set('mint', 'no')
      known.push(await create(['cake']))
      await pay(known[4] ?? '', 2n * unit)
    })
    step(() => world.drain())
    step(() => foldTallies(database.db))
    step(() => database.db.update(webhookDeliveries).set({ status: 'failed' }))
    step(async () => {
      nowMs += 400 * 24 * 60 * minuteMs
      await forgetEvents(database.db, nowMs, 24 * 60 * minuteMs)
    })
    step(() => restore())
    step(async () => {
      chain.state.refusals.clear()
      known.push(await create(['tea']))
    })
    step(() => foldTallies(database.db))
    for (const [at, work] of steps.entries()) {
      await work()
      await expectExact(database, world).catch((error) => {
        error.message = `after step ${at}: ${error.message}`
        throw error
      })
    }
    const { sales } = await getSummary(world.deps, world.serverCall, { since: new Date(startMs) })
    expect(sales).toMatchObject([{ currency: 'usdc', orders: 1, amount: '30', refunded: '5' }])
  })

  test('behavior: what a build writes that knows nothing of the counts is counted', async () => {
    const orderId = await create(['tea'])
    await foldTallies(database.db)
    await database.executeSql(
      `update orders set phase = 'completed', document = jsonb_set(document, '{quote,totalUnits}', '"77"') where id = $1`,
      [orderId],
    )
    await expectExact(database, world)
  })

  test('behavior: what goes back of an order is counted with it, whatever it is counted as', async () => {
    const orderId = await create(['tea'])
    await pay(orderId, unit)
    await world.drain()
    await createRefund(world.deps, world.serverCall, { orderId, body: { amount: '0.002' } })
    const set = (values: string) =>
      database.executeSql(`update orders set ${values} where id = $1`, [orderId])
    for (const values of [
      `phase = 'delivery'`,
      `document = jsonb_set(document, '{capture}', '{"status":"voided"}')`,
      `document = jsonb_set(document, '{capture}', '{"status":"captured"}'), phase = 'completed'`,
      `document = jsonb_set(document, '{payment,currency}', '"usdc"')`,
    ]) {
      await set(values)
      await expectExact(database, world)
    }
    await database.executeSql(`update refunds set units = '7' where order_id = $1`, [orderId])
    await database.executeSql(
      `insert into refunds select (jsonb_populate_record(refunds, '{"id":"second"}')).* from refunds where order_id = $1`,
      [orderId],
    )
    await expectExact(database, world)
    await database.executeSql(`delete from refunds where id = 'second'`)
    await expectExact(database, world)
  })

  test('behavior: each page of a long list has the tokens that it had, wherever it is', async () => {
    const total = 1_234
    await database.executeSql(
      `insert into nfts (project_id, collection_id, id, status, token_id, metadata, uri, locale, has_notification, created_at)
       select $1, 'tea', md5(i::text), 'success', i, '{}', '', 'en-US', false,
         to_timestamp(floor(i / 3) * 97 + (i / 500) * 20000) from generate_series(1, ${total}) as i`,
      [world.projectId],
    )
    const { rows } = await database.executeSql(
      `select id from nfts where project_id = $1 and collection_id = 'tea' order by created_at desc, id desc`,
      [world.projectId],
    )
    const ids = (rows as { id: string }[]).map(({ id }) => id)
    const check = async (perPage: number, pages: readonly number[]) => {
      for (const page of pages) {
        const listed = await listNfts(world.deps, world.serverCall, { collectionId: 'tea', page, perPage })
        expect(listed.map(({ id }) => id)).toEqual(ids.slice((page - 1) * perPage, page * perPage))
      }
    }
    await check(
      7,
      Array.from({ length: 40 }, (_, at) => 140 + at),
    )
    await foldTallies(database.db)
    await check(100, [1, 9, 10, 11, 12, 13, 14])
    await check(1, [1_000, 1_001, 1_002, total, total + 1, 10_000_000])
  })
})

test('behavior: what there is when a database is migrated is counted', async () => {
  nowMs = startMs
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  const database = await kind?.open()
  if (!database?.url) throw new Error('no PostgreSQL')
  const { world, chain } = await openWorld(database)
  for (const isPaid of [true, false, true]) {
    nowMs += 50 * minuteMs
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
    if (isPaid) chain.pay({ orderId: order.orderId, currency: 'eth', units: unit })
    await world.look()
    await world.drain()
    if (isPaid) {
      const body = { amount: '0.002' }
      await createRefund(world.deps, world.serverCall, { orderId: order.orderId, body })
    }
  }
  // Later migrations stay as they are: this one is run again by itself.
  const migration = await readFile(`${migrationsFolder}/0008_tallies.sql`, 'utf8')
  await database.executeSql(`
    drop table tallies, tally_entries;
    drop function tally_order, tally_refund, tally_token, tally_delivery, tally_of_order, tally_refunded, tally_hour cascade`)
  for (const statement of migration.split('--> statement-breakpoint')) await database.executeSql(statement)
  const migrated = await openPostgres(database.url, () => {})
  expect(await migrated.db.$count(tallyEntries)).toBe(0)
  await expectExact(migrated, world)
  await world.create({ lineItems: { collectionLocator: 'kassa:cake' } })
  await expectExact(migrated, world)
  await Promise.all([migrated.close(), database.close()])
})

test('behavior: two processes write and add up at once', async () => {
  nowMs = startMs
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  const first = await kind?.open()
  const second = await kind?.open(first?.url)
  if (!first || !second) throw new Error('no PostgreSQL')
  const worlds = [await openWorld(first), await openWorld(second)]
  let isDone = false
  const folding = [first, second].map(async ({ db }) => {
    while (!isDone) await foldTallies(db)
  })
  await Promise.all(
    worlds.map(async ({ world, chain }) => {
      const created = await Promise.all(
        Array.from({ length: 12 }, () => world.create({ lineItems: { collectionLocator: 'kassa:tea' } })),
      )
      for (const { order } of created) chain.pay({ orderId: order.orderId, currency: 'eth', units: unit })
      await world.look()
      await world.drain()
      await Promise.all(
        created.map(({ order: { orderId } }) =>
          createRefund(world.deps, world.serverCall, { orderId, body: { amount: '0.001' } }),
        ),
      )
    }),
  )
  isDone = true
  await Promise.all(folding)
  for (const { world } of worlds) await expectExact(first, world)
  await foldTallies(first.db)
  expect(await first.db.$count(tallyEntries)).toBe(0)
  for (const { world } of worlds) await expectExact(second, world)
  await Promise.all([first.close(), second.close()])
})
