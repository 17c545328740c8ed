import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createJobs, type JobQueue } from '#adapters/jobs/createJobs.js'
import { limitChains } from '#adapters/jobs/limitChains.js'
import { ServiceError } from '#base/errors.js'
import { jobNames } from '#base/ports/jobNames.js'
import { createLog } from '#entry/createLog.js'
import { limits } from '../../../../test/limits.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { type DatabaseKind, databaseKinds } from '../../helpers/databaseKinds.js'
import { testConfig } from '../../helpers/testConfig.js'

/** Abandoned jobs are taken over, and due jobs found, many times as fast. */
const quick = { keptSeconds: 2, keepMs: 200, pollMs: 50 }
/** Jobs are found by notifications alone. */
const woken = { ...quick, pollMs: 3_600_000 }
const log = createLog({ ...testConfig, logLevel: 'silent' })

describe.each(databaseKinds)('on $name', (kind) => {
  let database: Awaited<ReturnType<DatabaseKind['open']>>
  let jobs: JobQueue
  beforeEach(async () => {
    database = await kind.open()
    jobs = createJobs(database, log, quick)
  })
  afterEach(async () => {
    await jobs.stop()
    await database.close()
  })

  test('default', async () => {
    const seen: string[] = []
    await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'base-sepolia' }))
    await expect.poll(() => seen).toEqual(['base-sepolia'])
  })

  test('behavior: a job is woken at once, not at the next tick', async () => {
    const seen: string[] = []
    const queue = createJobs(database, log, woken)
    await queue.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    for (const chain of ['base-sepolia', 'polygon-amoy']) {
      await database.db.transaction((tx) => queue.enqueue(tx, 'payments.look', { chain }))
      await expect.poll(() => seen).toContain(chain)
    }
    await queue.stop()
  })

  test('behavior: a job of a transaction that is rolled back never runs', async () => {
    const seen: string[] = []
    await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    const undone = database.db.transaction(async (tx) => {
      await jobs.enqueue(tx, 'payments.look', { chain: 'undone' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'done' }))
    await expect.poll(() => seen).toEqual(['done'])
    await jobs.stop()
    expect((await database.executeSql('select name from jobs')).rows).toEqual([])
  })

  test('behavior: one text enqueues any number of jobs, each as it was asked', async () => {
    const texts = new Set<string>()
    const startAfter = new Date(Date.now() + 3_600_000)
    for (const count of [1, 3]) {
      await database.db.transaction(async (tx) => {
        const execute = vi.spyOn(tx, 'execute')
        for (let at = 0; at < count; at++) {
          const chain = `"${at}" {\\`
          await jobs.enqueue(tx, 'payments.look', { chain }, at ? { startAfter, priority: at } : undefined)
        }
        execute.mockImplementation((query) => {
          texts.add((query as SQL).toQuery(undefined as never).sql)
          execute.mockRestore()
          return tx.execute(query)
        })
      })
    }
    expect(texts.size).toBe(1)
    const { rows } = await database.executeSql(
      `select data ->> 'chain' as chain, priority, start_after <= now() as "isDue" from jobs order by queued_at, priority`,
    )
    expect(rows).toEqual([
      { chain: '"0" {\\', priority: 0, isDue: true },
      { chain: '"0" {\\', priority: 0, isDue: true },
      { chain: '"1" {\\', priority: 1, isDue: false },
      { chain: '"2" {\\', priority: 2, isDue: false },
    ])
  })

  test('behavior: a failed job is tried again until it succeeds, and blocks no other', async () => {
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
    await expect.poll(() => tries.toSorted()).toEqual(['bad', 'bad', 'bad', 'good'])
  })

  test('behavior: the more often a job fails, the later it comes again', async () => {
    let error: Error = new Error('away')
    await jobs.start({ 'payments.look': () => Promise.reject(error) })
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'bad' }))
    const fail = async (times: number): Promise<unknown> => {
      const failed = await vi.waitFor(async () => {
        const { rows } = await database.executeSql(
          `select extract(epoch from start_after - queued_at)::int as seconds from jobs
              where name = 'payments.look' and claim is null and starts = $1`,
          [times + 1],
        )
        expect(rows).toHaveLength(1)
        return rows
      }, limits.conditionMs)
      await database.executeSql(`update jobs set start_after = now() where name = 'payments.look'`, [])
      return failed
    }
    const delays = [3, 6, 12, 24, 48, 60, 60]
    for (const [times, seconds] of delays.entries()) expect(await fail(times)).toEqual([{ seconds }])
    error = new ServiceError('chain-unavailable', 'later', { retryAfterSeconds: 600 })
    // One may have failed before its notification.
    await fail(delays.length)
    expect(await fail(delays.length + 1)).toEqual([{ seconds: 600 }])
  })

  test('behavior: however many jobs wait for a chain that hangs, those of another chain run', async () => {
    const hanging = createFakeChain({ now: Date.now, chain: 'polygon-amoy' })
    const healthy = createFakeChain({ now: Date.now, chain: 'base-sepolia' })
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    hanging.port.mint = async () => {
      await isOver
      throw new ServiceError('chain-unavailable', 'it hung')
    }
    const ports = new Map([hanging, healthy].map(({ port }) => [port.chain, port]))
    const registry = { enabled: [...ports.keys()], get: (name: string) => ports.get(name) }
    const chains = limitChains(registry, Date.now)
    const collection = { key: 'tea', standard: 'erc-721' as const }
    await jobs.start((slots) => ({
      'nfts.mint': async ({ collectionId, batchId }) => {
        await chains(slots).get(collectionId)?.mint(batchId, { collection, tokens: [] })
      },
    }))
    const ask = (collectionId: string, batchIds: readonly string[]) =>
      database.db.transaction(async (tx) => {
        for (const batchId of batchIds) {
          await jobs.enqueue(tx, 'nfts.mint', { projectId: 'p', collectionId, batchId, attempt: 1 })
        }
      })
    await ask(
      'polygon-amoy',
      Array.from({ length: 40 }, (_, at) => `hanging-${at}`),
    )
    await ask('base-sepolia', ['healthy'])
    await expect
      .poll(() => healthy.sentOf('mint'))
      .toHaveLength(1)
      .finally(end)
  })

  test('behavior: unfinished jobs are handed back, and taken over when this process is gone', async () => {
    let isBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve
    })
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    await jobs.start({
      'payments.look': async () => {
        isBegun()
        await finished
        throw new Error('too late to count')
      },
    })
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'slow' }))
    await begun
    await jobs.stop(10, 3_600_000)
    finish()
    const { rows } = await database.executeSql(
      `select claim, start_after <= now() as "isDue" from jobs where name = 'payments.look'`,
    )
    // On the embedded database no other process can start before this one has ended.
    expect(rows).toEqual([{ claim: null, isDue: kind.name === 'PGlite' }])
    await database.executeSql(`update jobs set start_after = now() where name = 'payments.look'`)
    const seen: string[] = []
    const others = createJobs(database, log, quick)
    await others.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    await expect.poll(() => seen).toEqual(['slow'])
    await others.stop()
  })

  test('behavior: a job for later waits', async () => {
    const seen: string[] = []
    await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    await database.db.transaction(async (tx) => {
      await jobs.enqueue(
        tx,
        'payments.look',
        { chain: 'later' },
        { startAfter: new Date(Date.now() + 3_600_000) },
      )
      await jobs.enqueue(tx, 'payments.look', { chain: 'now' })
    })
    await expect.poll(() => seen).toEqual(['now'])
    await database.executeSql('update jobs set start_after = now()')
    await expect.poll(() => seen).toEqual(['now', 'later'])
  })

  test('behavior: a job that is due at a known time, or failed, is started then without a poll', async () => {
    const seen: string[] = []
    const queue = createJobs(database, log, { ...woken, pollMs: 600_000 })
    await queue.start({
      'payments.look': async ({ chain }) => {
        seen.push(chain)
        if (seen.filter((name) => name === 'bad').length === 1) throw new Error('away')
      },
    })
    const startAfter = new Date(Date.now() + 1_500)
    await database.db.transaction((tx) =>
      queue.enqueue(tx, 'payments.look', { chain: 'due' }, { startAfter }),
    )
    await expect.poll(() => seen).toEqual(['due'])
    expect(Date.now()).toBeGreaterThanOrEqual(startAfter.getTime())
    await database.db.transaction((tx) => queue.enqueue(tx, 'payments.look', { chain: 'bad' }))
    await expect.poll(() => seen).toEqual(['due', 'bad', 'bad'])
    await queue.stop()
  })

  test('behavior: a poll finds a job that no notice told of', async () => {
    const seen: string[] = []
    await jobs.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    await database.executeSql(`insert into jobs (name, data) values ('payments.look', '{"chain":"untold"}')`)
    await expect.poll(() => seen).toEqual(['untold'])
  })

  test('behavior: at rest, one statement in each poll asks for all queues', async () => {
    const polls = 8
    let asked = 0
    const counted = {
      ...database,
      executeSql: (text: string, values?: unknown[]) => {
        if (Array.isArray(values?.[0])) {
          asked++
          expect(values[0].toSorted()).toEqual([...jobNames].toSorted())
        }
        return database.executeSql(text, values)
      },
    }
    const handlers = Object.fromEntries(jobNames.map((name) => [name, async () => {}]))
    const queue = createJobs(counted, log, { ...quick, pollMs: 100 })
    await queue.start(handlers)
    await sleep(polls * 100)
    await queue.stop()
    // The first is at the start. A machine that is busy makes fewer.
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThanOrEqual(polls + 1)
  })

  test('behavior: stopping finishes the running jobs', async () => {
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
    await expect.poll(() => isStarted).toBe(true)
    await jobs.stop()
    expect(isDone).toBe(true)
    const { rows } = await database.executeSql('select name from jobs')
    expect(rows).toEqual([])
  })

  test('behavior: jobs of a killed process are taken over', async () => {
    await database.db.transaction((tx) =>
      jobs.enqueue(tx, 'orders.deliver', { orderId: 'o', lineItemIndex: 0 }),
    )
    // The state left by a process that was killed after it had fetched its job.
    const keptUntil = `now() + interval '${kind.name === 'PGlite' ? 3600 : 2} seconds'`
    await database.executeSql(`update jobs set claim = gen_random_uuid(), kept_until = ${keptUntil}`)
    const seen: number[] = []
    await jobs.start({ 'orders.deliver': async ({ lineItemIndex }) => void seen.push(lineItemIndex) })
    await expect.poll(() => seen).toEqual([0])
  })

  test('behavior: a process that lost its job to another one does not record its end', async () => {
    let end = () => {}
    await jobs.start({ 'payments.look': () => new Promise((resolve) => (end = resolve)) })
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'slow' }))
    const claimOf = async () => (await database.executeSql('select claim from jobs')).rows[0]
    await expect.poll(() => claimOf()).toEqual({ claim: expect.any(String) })
    // What the other process writes, once this one has not reported for too long.
    const taken = { claim: crypto.randomUUID() }
    await database.executeSql(`update jobs set claim = $1, kept_until = now() + interval '1 hour'`, [
      taken.claim,
    ])
    end()
    await jobs.stop()
    expect(await claimOf()).toEqual(taken)
  })

  test('behavior: a long job is kept, and not started twice', async () => {
    let count = 0
    let end = () => {}
    await jobs.start({
      'payments.look': () => {
        count++
        return new Promise((resolve) => (end = resolve))
      },
    })
    await database.db.transaction((tx) => jobs.enqueue(tx, 'payments.look', { chain: 'slow' }))
    const readKept = async () => {
      const { rows } = await database.executeSql(
        'select extract(epoch from kept_until)::float as until from jobs where claim is not null',
      )
      return (rows as { until: number }[])[0]?.until ?? 0
    }
    await expect.poll(readKept).toBeGreaterThan(0)
    // For longer than it would be kept without being renewed.
    const until = (await readKept()) + quick.keptSeconds
    await expect.poll(readKept).toBeGreaterThan(until)
    expect(count).toBe(1)
    end()
  })
})

describe('two processes on one PostgreSQL', () => {
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')

  test('default', async () => {
    const first = await kind?.open()
    const second = await kind?.open(first?.url)
    if (!first || !second) throw new Error('no PostgreSQL')
    const [asking, working] = [createJobs(first, log, woken), createJobs(second, log, woken)]
    const seen: string[] = []
    const work = async ({ chain }: { chain: string }) => {
      seen.push(chain)
      await sleep(20)
    }
    await working.start({ 'payments.look': work })
    await first.db.transaction((tx) => asking.enqueue(tx, 'payments.look', { chain: 'woken' }))
    await expect.poll(() => seen).toEqual(['woken'])

    await asking.start({ 'payments.look': work })
    const chains = Array.from({ length: 60 }, (_, index) => `chain-${index}`)
    await first.db.transaction(async (tx) => {
      for (const chain of chains) await asking.enqueue(tx, 'payments.look', { chain })
    })
    await expect.poll(() => seen).toHaveLength(61)
    expect(seen.slice(1).sort()).toEqual(chains.sort())
    await Promise.all([asking.stop(), working.stop()])
    await Promise.all([first.close(), second.close()])
  })

  test('behavior: jobs that a process leaves are started by another at once', async () => {
    const first = await kind?.open()
    const second = await kind?.open(first?.url)
    if (!first || !second) throw new Error('no PostgreSQL')
    const [leaving, staying] = [createJobs(first, log, woken), createJobs(second, log, woken)]
    let end = () => {}
    const seen: string[] = []
    await leaving.start({
      'payments.look': () => {
        seen.push('leaving')
        return new Promise((resolve) => (end = resolve))
      },
    })
    await first.db.transaction((tx) => leaving.enqueue(tx, 'payments.look', { chain: 'left' }))
    await expect.poll(() => seen).toEqual(['leaving'])
    await staying.start({ 'payments.look': async () => void seen.push('staying') })
    await leaving.stop(1)
    await expect.poll(() => seen).toEqual(['leaving', 'staying'])
    end()
    await staying.stop()
    await Promise.all([first.close(), second.close()])
  })

  test('behavior: jobs of a process that is gone are started when their time is up, without a poll', async () => {
    const database = await kind?.open()
    if (!database) throw new Error('no PostgreSQL')
    const queue = createJobs(database, log, woken)
    await database.db.transaction((tx) => queue.enqueue(tx, 'payments.look', { chain: 'left' }))
    await database.executeSql(
      `update jobs set claim = gen_random_uuid(), kept_until = now() + interval '1500 milliseconds'`,
    )
    const seen: string[] = []
    await queue.start({ 'payments.look': async ({ chain }) => void seen.push(chain) })
    await expect.poll(() => seen).toEqual(['left'])
    await queue.stop()
    await database.close()
  })

  test('behavior: a job that both fetch at the same moment is started once', async () => {
    const first = await kind?.open()
    const second = await kind?.open(first?.url)
    if (!first || !second) throw new Error('no PostgreSQL')
    const [one, other] = [createJobs(first, log, quick), createJobs(second, log, quick)]
    const started: string[] = []
    const work = async ({ chain }: { chain: string }) => {
      started.push(chain)
      await sleep(500)
    }
    await first.db.transaction((tx) => one.enqueue(tx, 'payments.look', { chain: 'wanted' }))
    await first.db.transaction(async (tx) => {
      await tx.execute(sql`select id from jobs for update`)
      await Promise.all([one, other].map((jobs) => jobs.start({ 'payments.look': work })))
      // Time for both to look for jobs while the row is locked.
      await sleep(500)
    })
    await expect.poll(() => started).toHaveLength(1)
    await Promise.all([one.stop(), other.stop()])
    expect(started).toEqual(['wanted'])
    await Promise.all([first.close(), second.close()])
  })
})
