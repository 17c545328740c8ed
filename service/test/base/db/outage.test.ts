import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { isDiskFull, runWatching } from '#base/db/diskState.js'
import { readSchemaState } from '#base/db/schemaState.js'
import { orders } from '#base/db/tables/index.js'
import { checkReadiness } from '#interface/http/health.js'
import { createRateLimits } from '#interface/http/rateLimit.js'
import { isChange } from '../../../../test/scope.js'
import { createRelay } from '../../helpers/createRelay.js'
import { createShop, orderBody, ordersPath, type Shop } from '../../helpers/createShop.js'
import { startPostgres } from '../../helpers/startPostgres.js'
import { testConfig } from '../../helpers/testConfig.js'

/** How long the server is away: a change has to pass the shorter time, a release the longer. */
const outageMs = isChange ? 10_000 : 60_000

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '' }, () => {})

test('error: database-unavailable, and the service survives', async () => {
  const server = await startPostgres()
  const database = await open(await server.createDatabase())
  const shop = await createShop({ database, handlers: () => ({ 'payments.look': async () => {} }) })
  const order = await shop.createOrder()
  expect((await shop.app.request('/health')).status).toBe(200)

  await server.stop()
  const response = await shop.send('GET', order.path)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await response.json()).toEqual({
    error: true,
    message: expect.stringContaining('try again in a few minutes'),
  })
  expect((await shop.app.request('/live')).status).toBe(200)
  const health = await shop.app.request('/health')
  expect(health.status).toBe(503)
  expect(await health.json()).toMatchObject({ status: 'down', database: 'down' })
  await shop.close()
  await database.close()
})

const idempotent = (key: string) => ({ body: orderBody, headers: { 'x-idempotency-key': key } })

/** Creates an order under a key, as often as the service asks for that, and returns its id. */
const createUntilAnswered = async (shop: Shop, key: string): Promise<string> => {
  for (;;) {
    const response = await shop.send('POST', ordersPath, idempotent(key))
    const body = await response.json()
    if (response.status === 201) return body.order.orderId
    expect({ key, status: response.status, body }).toMatchObject({ status: 503 })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    await sleep(20)
  }
}

/** Expects that each key made one order, and that there are no others. */
const expectOneEach = async (shop: Shop, created: Map<string, string>): Promise<void> => {
  const stored = await shop.deps.db.select({ orderId: orders.id }).from(orders)
  expect(stored.map(({ orderId }) => orderId).sort()).toEqual([...created.values()].sort())
}

describe.each(['before', 'after'] as const)('error: a connection is cut %s the server', (moment) => {
  test('has a statement of an order, whichever it is: 503, and asked again there is one order', async () => {
    const server = await startPostgres()
    const relay = await createRelay(await server.createDatabase())
    const database = await open(relay.url)
    const shop = await createShop({ database, handlers: () => ({ 'payments.look': async () => {} }) })
    const created = new Map<string, string>()
    let cuts = 0
    for (let count = 0, isOver = false; !isOver; count++) {
      const key = `cut-${count}`
      relay.cutAfter(count, moment)
      created.set(key, await createUntilAnswered(shop, key))
      isOver = relay.isLeft()
      if (!isOver) cuts++
    }
    expect(cuts).toBeGreaterThan(4)
    await expectOneEach(shop, created)
    await shop.close()
    await database.close()
    await relay.close()
    await server.stop()
  })
})

test('error: the server hangs: every request is refused within ten seconds, and a write happens once', async () => {
  const server = await startPostgres()
  const relay = await createRelay(await server.createDatabase())
  const database = await open(relay.url)
  const shop = await createShop({ database, handlers: () => ({ 'payments.look': async () => {} }) })
  const order = await shop.createOrder()
  const requests: [string, string, Parameters<Shop['send']>[2]?][] = [
    ['POST', ordersPath, idempotent('held')],
    ['POST', ordersPath, { body: orderBody }],
    ['PATCH', order.path, { body: { locale: 'fr-FR' } }],
    ['POST', `${order.path}/refresh`],
    ['POST', '/api/2022-06-09/collections', { body: { chain: 'base-sepolia', metadata: { name: 'Tea' } } }],
    ['POST', '/console/auth/challenges', { headers: { origin: new URL(testConfig.publicUrl).origin } }],
    ['GET', order.path],
    ['GET', ordersPath],
  ]
  relay.hold(true)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answers = requests.map(([method, path, options]) => shop.send(method, path, options))
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  for (const response of await Promise.all(answers)) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await response.json()).message).toContain('try again in a few minutes')
  }
  relay.hold(false)
  const created = await createUntilAnswered(shop, 'held')
  expect(await createUntilAnswered(shop, 'held')).toBe(created)
  const edited = await shop.send('PATCH', order.path, { body: { locale: 'fr-FR' } })
  expect(await edited.json()).toMatchObject({ locale: 'fr-FR' })
  await shop.close()
  await database.close()
  await relay.close()
  await server.stop()
})

test('error: the server crashes under load and is back later: no order is lost or made twice, and its jobs run', async () => {
  const server = await startPostgres()
  const broken: unknown[] = []
  const url = await server.createDatabase()
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, (error) => broken.push(error))
  const told = new Set<string>()
  const shop = await createShop({
    database,
    handlers: () => ({
      'payments.look': async () => {},
      'mails.send': async ({ mailId }) => void told.add(mailId),
    }),
  })
  const { db, jobs } = shop.deps
  /** Enqueues a job, as often as it takes. */
  const enqueue = (mailId: string): Promise<void> =>
    db
      .transaction((tx) => jobs.enqueue(tx, 'mails.send', { mailId }))
      .catch(async () => {
        await sleep(20)
        return enqueue(mailId)
      })
  const created = new Map<string, string>()
  let isLoaded = true
  const load = Array.from({ length: 4 }, async (_, buyer) => {
    for (let count = 0; isLoaded; count++) {
      const key = `${buyer}-${count}`
      const orderId = await createUntilAnswered(shop, key)
      await enqueue(orderId)
      created.set(key, orderId)
    }
  })
  await expect.poll(() => created.size).toBeGreaterThan(10)
  const startedAtMs = performance.now()
  const restart = await server.crash()
  const before = created.size
  await sleep(outageMs)
  await restart()
  await expect.poll(() => created.size).toBeGreaterThan(before + 10)
  isLoaded = false
  await Promise.all(load)
  await expectOneEach(shop, created)
  await expect.poll(() => [...told].sort()).toEqual([...created.values()].sort())
  // It breaks many connections, and is told once a minute.
  const minutes = Math.ceil((performance.now() - startedAtMs) / 60_000)
  expect(broken.length).toBeGreaterThan(0)
  expect(broken.length).toBeLessThanOrEqual(minutes)
  await shop.close()
  await database.close()
  await server.stop()
})

test('error: a connection that breaks during a transaction fails that transaction, and not the process', async () => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const [database, other] = await Promise.all([open(url), open(url)])
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  process.on('uncaughtException', note)
  const broken = database.db.transaction(async (tx) => {
    await tx.execute(sql`create temporary table held (id int)`)
    await other.executeSql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where state = 'idle in transaction' and datname = current_database()`,
    )
    // Time for the server's last words to arrive while no statement runs.
    await sleep(300)
    await tx.execute(sql`select 1`)
  })
  await expect(broken).rejects.toThrow()
  process.off('uncaughtException', note)
  expect(uncaught).toEqual([])
  expect((await database.executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  await Promise.all([database.close(), other.close()])
  await server.stop()
})

test('behavior: transactions that cannot begin, or not be rolled back, leave every connection to later ones', async () => {
  const server = await startPostgres()
  const database = await open(await server.createDatabase())
  const query = pg.Client.prototype.query
  const refuse = (word: RegExp) =>
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...sent: unknown[]) {
      const { text } = sent[0] as { text?: string }
      if (word.test(text ?? '')) return Promise.reject(new Error('the pool before the server refuses it'))
      return Reflect.apply(query, this, sent)
    } as typeof query)
  const selectOne = async () =>
    (await database.db.transaction((tx) => tx.execute(sql`select 1 as one`))) as { rows: unknown[] }
  const failEach = async (work: () => Promise<unknown>): Promise<void> => {
    for (let count = 0; count < 20; count++) await expect(work()).rejects.toThrow()
  }
  const refusesBegin = refuse(/^begin/)
  await failEach(selectOne)
  refusesBegin.mockRestore()
  expect((await selectOne()).rows).toEqual([{ one: 1 }])
  const refusesRollback = refuse(/^rollback/)
  await failEach(() => database.db.transaction((tx) => tx.execute(sql`select 1 / 0`)))
  refusesRollback.mockRestore()
  // On a connection whose transaction goes on, this would be refused as well.
  expect((await database.executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect((await selectOne()).rows).toEqual([{ one: 1 }])
  await database.close()
  await server.stop()
})

test('behavior: work that takes every connection keeps the process in the load balancer', async () => {
  const server = await startPostgres()
  const database = await open(await server.createDatabase())
  const taken = await Promise.all(Array.from({ length: 16 }, () => database.pool?.connect()))
  const readiness = await checkReadiness({
    readSchemaState: () => readSchemaState(database.watchSql),
    isDiskFull: () => isDiskFull(runWatching(database.watchSql)),
    isWorking: () => true,
    isStopping: () => false,
  })
  expect(readiness).toMatchObject({ status: 'ready', database: 'up' })
  for (const client of taken) client?.release()
  await database.close()
  await server.stop()
})

test('behavior: processes on one PostgreSQL count requests together', async () => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const processes = await Promise.all([open(url), open(url)] as const)
  const limits = { ...testConfig.limits, writesPerMinute: 5, readsPerMinute: 5, clientReadsPerMinute: 5 }
  const counters = processes.map(({ pool }) => createRateLimits(limits, pool, () => 1_800_000_000_000))
  const allowances = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => counters[index % 2]?.count('writesPerMinute', 'project')),
  )
  expect(allowances.filter((allowance) => allowance?.isAllowed)).toHaveLength(5)
  const read = { isAllowed: true, remaining: 4 }
  expect(await counters[0]?.count('readsPerMinute', 'project')).toMatchObject(read)
  await counters[0]?.giveBack('readsPerMinute', 'project')
  expect(await counters[0]?.count('readsPerMinute', 'project')).toMatchObject(read)

  // The process knows that an allowance is used up, and asks again only once a second.
  const [{ pool }] = processes
  const query = pool && vi.spyOn(pool, 'query')
  const refused = await counters[0]?.count('writesPerMinute', 'project')
  expect(refused).toMatchObject({ isAllowed: false, limit: 5, remaining: 0, resetSeconds: 60 })
  expect(query).not.toHaveBeenCalled()

  // What one process gives back, another may use.
  for (let count = 0; count < 5; count++) await counters[0]?.count('clientReadsPerMinute', 'project')
  for (let count = 0; count < 2; count++) await counters[0]?.giveBack('clientReadsPerMinute', 'project')
  expect(await counters[1]?.count('clientReadsPerMinute', 'project')).toMatchObject({ isAllowed: true })
  await Promise.all(processes.map((database) => database.close()))
  await server.stop()
})
