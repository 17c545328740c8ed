import { createRequire } from 'node:module'
import { type SQL, sql } from 'drizzle-orm'
import PgBoss from 'pg-boss'
import type { OpenDatabase } from '../db/openedDatabase.js'
import { assertSchemaState } from '../db/schemaState.js'
import type { Log } from '../deps.js'
import { jobNames } from '../ports/jobNames.js'
import type { JobHandler, JobName, Jobs } from '../ports/jobs.js'
import { type Queue, type QueueRunner, runQueue } from './runQueue.js'

/** The handler of each kind of job. */
export type JobHandlers = { [Name in JobName]?: JobHandler<Name> }

/** The job queue, and its workers in this process. */
export type JobQueue = Jobs & {
  /** Starts to work on the queues that have a handler. */
  start(handlers: JobHandlers): Promise<void>
  readonly isRunning: boolean
  /**
   * Takes no more jobs, and finishes the running ones. Those not finished in time are left to another
   * process.
   *
   * @param afterwardsMs - How long this process may then live on and still work on them.
   */
  stop(patienceMs?: number, afterwardsMs?: number): Promise<void>
}

const channel = 'kassa_jobs'
const maintenanceMs = 10 * 60_000
/** How many jobs of a kind run at once: more for the kinds that mostly wait for remote servers or a chain. */
const usualConcurrency = 8
const chainConcurrency = 32
const concurrency: Readonly<Partial<Record<JobName, number>>> = {
  'collections.create': chainConcurrency,
  'collections.update': chainConcurrency,
  'nfts.mint': chainConcurrency,
  'nfts.update': chainConcurrency,
  'orders.deliver': chainConcurrency,
  'orders.refund': chainConcurrency,
  'orders.sweep': chainConcurrency,
  'transactions.send': chainConcurrency,
  'webhooks.send': 64,
}

/** How soon another process takes over a job after its process was killed. */
type JobTiming = {
  /** A job that no process has kept for this long is free. */
  expireInSeconds: number
  /** How often a process reports that it still works on its jobs. */
  keepMs: number
  /** How often abandoned jobs are looked for. */
  expiryCheckMs: number
}

const defaultTiming: JobTiming = { expireInSeconds: 15, keepMs: 5_000, expiryCheckMs: 5_000 }

const queueOf = (boss: PgBoss, database: OpenDatabase, name: JobName): Queue => ({
  fetch: (limit) => boss.fetch(name, { batchSize: limit, includeMetadata: true }),
  complete: (id) => boss.complete(name, id),
  // With the library's own method, the job would stay ahead of all later ones, and they would never run.
  fail: async (id, reason, delaySeconds) => {
    await database.executeSql(
      `update pgboss.job set state = 'retry', created_on = now(), output = $4::jsonb,
        start_after = now() + $3::float8 * interval '1 second'
        where name = $1 and id = $2::uuid and state = 'active'`,
      [name, id, delaySeconds, JSON.stringify({ reason })],
    )
  },
  keep: async (ids) => {
    await database.executeSql(
      `update pgboss.job set started_on = now() where name = $1 and id = any($2::uuid[]) and state = 'active'`,
      [name, ids],
    )
  },
  handBack: async (ids, delayMs) => {
    // On the embedded database there is one process at a time: the next one starts when this one has ended.
    const delaySeconds = database.pool ? delayMs / 1000 : 0
    await database.executeSql(
      `update pgboss.job set state = 'retry', start_after = now() + $3::float8 * interval '1 second'
        where name = $1 and id = any($2::uuid[]) and state = 'active'`,
      [name, ids, delaySeconds],
    )
  },
})

const { schema: ownVersion }: { schema: number } = createRequire(import.meta.url)('pg-boss/version.json')

/**
 * Checks the version of the queue's tables. They are a library's: unlike the service's tables, those of a
 * later release may differ.
 */
const assertVersion = async (boss: PgBoss): Promise<void> => {
  const version = (await boss.isInstalled()) ? Number(await boss.schemaVersion()) : 0
  if (version < ownVersion) assertSchemaState('behind', false)
  if (version > ownVersion) {
    throw new Error('the job queue is newer than this build: run the build that migrated it, or a later one')
  }
}

/**
 * Whether the queue creates its tables in the database instead of requiring them. On the embedded database it
 * always does.
 */
type QueueOptions = Partial<JobTiming> & { isMigrating?: boolean }

/**
 * Opens the job queue in the database, where jobs are committed together with the state that enqueues them.
 *
 * @throws Error that says in one line what to do, if the database lacks the queue's tables or one of its
 * queues.
 */
export const createJobs = async (
  database: OpenDatabase,
  log: Log,
  options: QueueOptions = {},
): Promise<JobQueue> => {
  const { expireInSeconds, keepMs, expiryCheckMs } = { ...defaultTiming, ...options }
  const isMigrating = !database.pool || (options.isMigrating ?? true)
  const boss = new PgBoss({
    db: { executeSql: database.executeSql },
    migrate: isMigrating,
    schedule: false,
    supervise: false,
    retryLimit: 2_000_000_000,
    retryDelay: 3,
    expireInSeconds,
    retentionDays: 3650,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  if (!isMigrating) await assertVersion(boss)
  await boss.start()
  const known = new Set((await boss.getQueues()).map((queue) => queue.name))
  const missing = jobNames.filter((name) => !known.has(name))
  if (missing.length) assertSchemaState('behind', isMigrating)
  for (const name of missing) await boss.createQueue(name)

  const runners = new Map<string, QueueRunner>()
  const timers: NodeJS.Timeout[] = []
  let unlisten = async () => {}

  const every = (ms: number, what: string, run: () => Promise<void>) =>
    timers.push(setInterval(() => run().catch((err) => log.warn({ err }, `${what} failed`)), ms))

  return {
    enqueue: async (tx, name, data, { startAfter, priority } = {}) => {
      const id = await boss.send(name, data, {
        ...(startAfter && { startAfter }),
        ...(priority !== undefined && { priority }),
        db: {
          executeSql: async (text, values) => {
            const { rows } = (await tx.execute(toSql(text, values))) as { rows: unknown[] }
            return { rows }
          },
        },
      })
      if (id === null) throw new Error(`the job ${name} was not enqueued`)
      // Delivered when the transaction commits, to every process that works on the queue.
      await tx.execute(sql`select pg_notify(${channel}, ${name})`)
    },
    start: async (handlers) => {
      // On the embedded database there is one process at a time, so any active job was left by a process that
      // is gone.
      if (!database.pool) {
        await database.executeSql(
          `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
        )
      }
      for (const name of jobNames) {
        const handler = handlers[name] as ((data: unknown) => Promise<void>) | undefined
        if (!handler) continue
        const limits = { keepMs, concurrency: concurrency[name] ?? usualConcurrency }
        runners.set(name, runQueue(name, queueOf(boss, database, name), handler, log, limits))
      }
      unlisten = await database.listen(channel, (name) => runners.get(name)?.wake())
      every(expiryCheckMs, 'the check for abandoned jobs', () => boss.expire())
      every(maintenanceMs, 'maintenance of the job queue', () => boss.maintain())
    },
    get isRunning() {
      return runners.size > 0
    },
    stop: async (patienceMs, afterwardsMs) => {
      for (const timer of timers.splice(0)) clearInterval(timer)
      await Promise.all([...runners.values()].map((runner) => runner.stop(patienceMs, afterwardsMs)))
      runners.clear()
      await unlisten()
      await boss.stop({ graceful: false, close: false })
    },
  }
}

/**
 * Converts SQL text with `$1` placeholders into a drizzle statement, so that it can run in a caller's
 * transaction.
 */
const toSql = (text: string, values: readonly unknown[] = []): SQL =>
  sql.join(
    text.split(/\$(\d+)/).map((part, index) => {
      if (index % 2 === 0) return sql.raw(part)
      const value = values[Number(part) - 1]
      const isJson = typeof value === 'object' && value !== null && !Array.isArray(value)
      return sql`${sql.param(isJson ? JSON.stringify(value) : (value ?? null))}`
    }),
  )
