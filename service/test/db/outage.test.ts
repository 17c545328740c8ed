import { expect, test, vi } from 'vitest'
import { readSchemaState } from '../../src/db/schemaState.js'
import { checkReadiness } from '../../src/http/health.js'
import { createRateLimits } from '../../src/http/rateLimit.js'
import { openDatabase } from '../../src/postgres/openDatabase.js'
import { createShop } from '../helpers/createShop.js'
import { startPostgres } from '../helpers/startPostgres.js'
import { testConfig } from '../helpers/testConfig.js'

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

test('behavior: work that takes every connection keeps the process in the load balancer', async () => {
  const server = await startPostgres()
  const database = await open(await server.createDatabase())
  const taken = await Promise.all(Array.from({ length: 16 }, () => database.pool?.connect()))
  const readiness = await checkReadiness({
    readSchemaState: () => readSchemaState(database.watchSql),
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
  const counters = processes.map(({ pool }) => createRateLimits(limits, pool))
  const allowances = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => counters[index % 2]?.count('writesPerMinute', 'project')),
  )
  expect(allowances.filter((allowance) => allowance?.isAllowed)).toHaveLength(5)
  const read = { isAllowed: true, remaining: 4 }
  expect(await counters[0]?.count('readsPerMinute', 'project')).toMatchObject(read)
  await counters[1]?.giveBack('readsPerMinute', 'project')
  expect(await counters[0]?.count('readsPerMinute', 'project')).toMatchObject(read)

  // The process knows that an allowance is used up, unless counted requests may be taken back.
  const [{ pool }] = processes
  const query = pool && vi.spyOn(pool, 'query')
  const refused = await counters[0]?.count('writesPerMinute', 'project')
  expect(refused).toMatchObject({ isAllowed: false, limit: 5, remaining: 0 })
  expect(refused?.resetSeconds).toBeGreaterThan(0)
  expect(query).not.toHaveBeenCalled()
  for (let count = 0; count < 5; count++) await counters[0]?.count('clientReadsPerMinute', 'project')
  await counters[1]?.giveBack('clientReadsPerMinute', 'project')
  expect(await counters[0]?.count('clientReadsPerMinute', 'project')).toMatchObject({ isAllowed: true })
  await Promise.all(processes.map((database) => database.close()))
  await server.stop()
})
