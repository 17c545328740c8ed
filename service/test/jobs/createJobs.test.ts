import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../src/createLog.js'
import type { OpenDatabase } from '../../src/db/openDatabase.js'
import { createJobs, type JobQueue } from '../../src/jobs/createJobs.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'
import { testConfig } from '../helpers/testConfig.js'

const log = createLog({ ...testConfig, logLevel: 'silent' })

let database: OpenDatabase
let jobs: JobQueue
beforeEach(async () => {
  database = await createTestDatabase()
  jobs = await createJobs(database, log)
})
afterEach(async () => {
  await jobs.stop()
  await database.close()
})

test('default', async () => {
  const seen: string[] = []
  await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
  await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'base-sepolia' }))
  await vi.waitFor(() => expect(seen).toEqual(['base-sepolia']))
})

test('behavior: a job is woken at once, not at the next tick', async () => {
  const startedMs: number[] = []
  await jobs.start({ 'payments.look': async () => void startedMs.push(performance.now()) })
  await sleep(1_200)
  const beforeMs = performance.now()
  await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'base-sepolia' }))
  await vi.waitFor(() => expect(startedMs).toHaveLength(1))
  expect((startedMs[0] ?? Number.POSITIVE_INFINITY) - beforeMs).toBeLessThan(400)
})

test('behavior: a job of a transaction that is undone never runs', async () => {
  const seen: string[] = []
  await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
  const undone = database.db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'payments.look', { chain: 'undone' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'done' }))
  await vi.waitFor(() => expect(seen).toContain('done'))
  await sleep(1_500)
  expect(seen).toEqual(['done'])
})

test('behavior: a job that fails is tried again until it is done, and holds up no other', async () => {
  const tries: string[] = []
  await jobs.start({
    'payments.look': async ({ chain }) => {
      tries.push(chain)
      if (chain === 'bad' && tries.filter((name) => name === 'bad').length < 3) throw new Error('away')
    },
  })
  await database.db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'payments.look', { chain: 'bad' })
    await jobs.enqueue(tx, 'payments.look', { chain: 'good' })
  })
  await vi.waitFor(() => expect(tries.toSorted()).toEqual(['bad', 'bad', 'bad', 'good']), { timeout: 15_000 })
})

test('behavior: a job for later waits', async () => {
  const seen: string[] = []
  await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
  await database.db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'payments.look', { chain: 'later' }, { startAfter: new Date(Date.now() + 2_000) })
    await jobs.enqueue(tx, 'payments.look', { chain: 'now' })
  })
  await vi.waitFor(() => expect(seen).toEqual(['now']))
  await vi.waitFor(() => expect(seen).toEqual(['now', 'later']), { timeout: 8_000 })
})

test('behavior: stopping finishes what is at work', async () => {
  let isStarted = false
  let isDone = false
  await jobs.start({
    'payments.look': async () => {
      isStarted = true
      await sleep(300)
      isDone = true
    },
  })
  await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'slow' }))
  await vi.waitFor(() => expect(isStarted).toBe(true))
  await jobs.stop()
  expect(isDone).toBe(true)
  const { rows } = await database.executeSql(`select state from pgboss.job where name = $1`, [
    'payments.look',
  ])
  expect(rows).toEqual([{ state: 'completed' }])
})

test('behavior: what a killed process left at work is taken up at the next start', async () => {
  await database.db.transaction((tx) =>
    jobs.enqueue(tx, 'orders.deliver', { orderId: 'o', lineItemIndex: 0 }),
  )
  // What is left of a process that was killed after it had fetched its job.
  await database.executeSql(`update pgboss.job set state = 'active', started_on = now()`)
  const seen: number[] = []
  await jobs.start({ 'orders.deliver': async ({ lineItemIndex }) => void seen.push(lineItemIndex) })
  await vi.waitFor(() => expect(seen).toEqual([0]), { timeout: 3_000 })
})
