import { afterCommit, beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import * as tables from '#base/db/tables/index.js'
import type { Log } from '#base/deps.js'
import { createBatch } from '#base/lib/createBatch.js'
import { jobNames } from '#base/ports/jobNames.js'
import type { JobHandler, JobName, Jobs } from '#base/ports/jobs.js'
import { createSlots, type JobSlots } from './jobSlots.js'
import { createOutageLog } from './outageLog.js'
import { type Queue, type QueueRunner, runQueue } from './runQueue.js'

/** The handler of each kind of job. */
export type JobHandlers = { [Name in JobName]?: JobHandler<Name> }

/** The job queue, and its workers in this process. */
export type JobQueue = Jobs & {
  /** Starts to work on the queues that have a handler. A function is called for each queue, with its slots. */
  start(handlers: JobHandlers | ((slots: JobSlots) => JobHandlers)): Promise<void>
  readonly isRunning: boolean
  /**
   * Takes no more jobs, and finishes the running ones. Those not finished in time are left to another
   * process.
   *
   * @param afterwardsMs - How long this process may then live on and still work on them.
   */
  stop(patienceMs?: number, afterwardsMs?: number): Promise<void>
}

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

/** How soon another process takes over the jobs of a process that was killed, and finds jobs that are due. */
type JobTiming = {
  /** How long a started job is kept for its process. */
  keptSeconds: number
  /** How often a process renews that for its running jobs. */
  keepMs: number
  /** How often a process looks for due jobs that no notification told it of. */
  pollMs: number
}

const defaultTiming: JobTiming = { keptSeconds: 15, keepMs: 5_000, pollMs: 1_000 }

type FetchedRow = { name: string; id: string; claim: string; data: unknown; starts: number }

/** Opens the queues of a process in the database. What they ask at about the same time is one statement. */
const openQueues = ({ executeSql, pool }: OpenDatabase, keptSeconds: number): ((name: JobName) => Queue) => {
  const fetch = createBatch(async (asked: readonly { name: string; limit: number }[]) => {
    // Rows that another process is fetching are skipped. An abandoned job is due like any other.
    const { rows } = await executeSql(
      `with due as materialized (
         select due.id from unnest($1::text[], $2::int[]) as asked (name, most) cross join lateral (
           select id from jobs
           where name = asked.name and start_after <= now() and (kept_until is null or kept_until <= now())
           order by priority desc, queued_at, id limit asked.most for update skip locked) as due)
       update jobs set starts = starts + 1, claim = gen_random_uuid(),
         kept_until = now() + $3::float8 * interval '1 second'
       from due where jobs.id = due.id
       returning jobs.name, jobs.id, jobs.claim, jobs.data, jobs.starts`,
      [asked.map(({ name }) => name), asked.map(({ limit }) => limit), keptSeconds],
    )
    return asked.map(({ name }) => (rows as FetchedRow[]).filter((row) => row.name === name))
  })
  const complete = createBatch(async (claims: readonly string[]) => {
    await executeSql('delete from jobs where claim = any($1::uuid[])', [claims])
    return claims
  })
  const keep = createBatch(async (claims: readonly string[][]) => {
    await executeSql(
      `update jobs set kept_until = now() + $2::float8 * interval '1 second' where claim = any($1::uuid[])`,
      [claims.flat(), keptSeconds],
    )
    return claims
  })
  return (name) => ({
    fetch: (limit) => fetch({ name, limit }),
    complete: async (claim) => void (await complete(claim)),
    fail: async (claim, failure, delaySeconds) => {
      await executeSql(
        `update jobs set claim = null, kept_until = null, queued_at = now(), failure = $2,
           start_after = now() + $3::float8 * interval '1 second'
         where claim = $1::uuid`,
        [claim, failure, delaySeconds],
      )
    },
    keep: async (claims) => void (await keep(claims)),
    handBack: async (claims, delayMs) => {
      // On the embedded database there is one process at a time: the next one starts when this one has ended.
      const delaySeconds = pool ? delayMs / 1000 : 0
      await executeSql(
        `update jobs set claim = null, kept_until = null, start_after = now() + $2::float8 * interval '1 second'
         where claim = any($1::uuid[])`,
        [claims, delaySeconds],
      )
    },
  })
}

const insertJobs = async (
  tx: Transaction,
  jobs: readonly (typeof tables.jobs.$inferInsert)[],
): Promise<void> => {
  await tx.insert(tables.jobs).values([...jobs])
}

/** Opens the job queue in the database, where jobs are committed together with the state that enqueues them. */
export const createJobs = (database: OpenDatabase, log: Log, timing: Partial<JobTiming> = {}): JobQueue => {
  const { keptSeconds, keepMs, pollMs } = { ...defaultTiming, ...timing }
  const runners = new Map<string, QueueRunner>()
  let stopHearing = () => {}
  return {
    enqueue: async (tx, name, data, options) => {
      await beforeCommit(tx, insertJobs, { name, data, ...options })
      afterCommit(tx, () => database.notices.tell('jobs', name))
    },
    start: async (handlers) => {
      // On the embedded database there is one process at a time, so any claim is of a process that is gone.
      if (!database.pool) await database.executeSql('update jobs set claim = null, kept_until = null')
      const openQueue = openQueues(database, keptSeconds)
      const outage = createOutageLog(log)
      for (const name of jobNames) {
        const slots = createSlots(concurrency[name] ?? usualConcurrency)
        const ofQueue = typeof handlers === 'function' ? handlers(slots) : handlers
        const handler = ofQueue[name] as ((data: unknown) => Promise<void>) | undefined
        if (handler)
          runners.set(name, runQueue(name, openQueue(name), handler, log, { keepMs, pollMs, slots, outage }))
      }
      stopHearing = await database.notices.hear('jobs', {
        onNotice: (name) => runners.get(name)?.wake(),
        onGap: () => {
          for (const runner of runners.values()) runner.wake()
        },
      })
    },
    get isRunning() {
      return runners.size > 0
    },
    stop: async (patienceMs, afterwardsMs) => {
      await Promise.all([...runners.values()].map((runner) => runner.stop(patienceMs, afterwardsMs)))
      runners.clear()
      stopHearing()
    },
  }
}
