import { sql } from 'drizzle-orm'
import type { OpenDatabase } from '../db/openedDatabase.js'
import * as tables from '../db/tables/index.js'
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

const queueOf = ({ executeSql, pool }: OpenDatabase, name: JobName, keptSeconds: number): Queue => ({
  fetch: async (limit) => {
    // Rows that another process is fetching are skipped. An abandoned job is due like any other.
    const { rows } = await executeSql(
      `with due as materialized (
         select id from jobs
         where name = $1 and start_after <= now() and (kept_until is null or kept_until <= now())
         order by priority desc, queued_at, id limit $2 for update skip locked)
       update jobs set starts = starts + 1, claim = gen_random_uuid(),
         kept_until = now() + $3::float8 * interval '1 second'
       from due where jobs.id = due.id
       returning jobs.id, jobs.claim, jobs.data, jobs.starts`,
      [name, limit, keptSeconds],
    )
    return rows as { id: string; claim: string; data: unknown; starts: number }[]
  },
  complete: async (claim) => {
    await executeSql('delete from jobs where claim = $1::uuid', [claim])
  },
  fail: async (claim, failure, delaySeconds) => {
    await executeSql(
      `update jobs set claim = null, kept_until = null, queued_at = now(), failure = $2,
         start_after = now() + $3::float8 * interval '1 second'
       where claim = $1::uuid`,
      [claim, failure, delaySeconds],
    )
  },
  keep: async (claims) => {
    await executeSql(
      `update jobs set kept_until = now() + $2::float8 * interval '1 second' where claim = any($1::uuid[])`,
      [claims, keptSeconds],
    )
  },
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

/** Opens the job queue in the database, where jobs are committed together with the state that enqueues them. */
export const createJobs = (database: OpenDatabase, log: Log, timing: Partial<JobTiming> = {}): JobQueue => {
  const { keptSeconds, keepMs, pollMs } = { ...defaultTiming, ...timing }
  const runners = new Map<string, QueueRunner>()
  let unlisten = async () => {}
  return {
    enqueue: async (tx, name, data, options) => {
      await tx.insert(tables.jobs).values({ name, data, ...options })
      // Delivered when the transaction commits, to every process that works on the queue.
      await tx.execute(sql`select pg_notify(${channel}, ${name})`)
    },
    start: async (handlers) => {
      // On the embedded database there is one process at a time, so any claim is of a process that is gone.
      if (!database.pool) await database.executeSql('update jobs set claim = null, kept_until = null')
      for (const name of jobNames) {
        const handler = handlers[name] as ((data: unknown) => Promise<void>) | undefined
        if (!handler) continue
        const limits = { keepMs, pollMs, concurrency: concurrency[name] ?? usualConcurrency }
        const queue = queueOf(database, name, keptSeconds)
        runners.set(name, runQueue(name, queue, handler, log, limits))
      }
      unlisten = await database.listen(channel, (name) => runners.get(name)?.wake())
    },
    get isRunning() {
      return runners.size > 0
    },
    stop: async (patienceMs, afterwardsMs) => {
      await Promise.all([...runners.values()].map((runner) => runner.stop(patienceMs, afterwardsMs)))
      runners.clear()
      await unlisten()
    },
  }
}
