import { BuiltQuery } from '#base/db/BuiltQuery.js'
import { afterCommit, beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import type { Log } from '#base/deps.js'
import { jobNames } from '#base/ports/jobNames.js'
import type { JobHandler, JobName, JobOptions, Jobs } from '#base/ports/jobs.js'
import { createSlots, type JobSlots } from './jobSlots.js'
import { openQueues } from './openQueues.js'
import { createOutageLog } from './outageLog.js'
import { type QueueRunner, runQueue } from './runQueue.js'

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
  /**
   * How often a process looks into all queues. It hears of new jobs from notices, and learns from each look when the
   * next job is due, so this is only the time that a lost notice costs.
   */
  pollMs: number
}

const defaultTiming: JobTiming = { keptSeconds: 15, keepMs: 5_000, pollMs: 5_000 }

type NewJob = { name: JobName; data: unknown } & JobOptions

/** One text serves any number of jobs. */
const insertSql = `
  insert into jobs (name, data, priority, start_after)
  select name, data::jsonb, priority, coalesce(start_after::timestamptz, now())
  from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as given (name, data, priority, start_after)`

const insertJobs = async (tx: Transaction, jobs: readonly NewJob[]): Promise<void> => {
  const values = [
    jobs.map(({ name }) => name),
    jobs.map(({ data }) => JSON.stringify(data)),
    jobs.map(({ priority = 0 }) => priority),
    jobs.map(({ startAfter }) => startAfter?.toISOString() ?? null),
  ]
  await tx.execute(new BuiltQuery(insertSql, values))
}

/** Opens the job queue in the database, where jobs are committed together with the state that enqueues them. */
export const createJobs = (database: OpenDatabase, log: Log, timing: Partial<JobTiming> = {}): JobQueue => {
  const { keptSeconds, keepMs, pollMs } = { ...defaultTiming, ...timing }
  const runners = new Map<string, QueueRunner>()
  let stopHearing = () => {}
  let polling: ReturnType<typeof setInterval> | undefined
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
          runners.set(
            name,
            runQueue(
              { name, queue: openQueue(name), handle: handler, log },
              { keepMs, pollMs, slots, outage },
            ),
          )
      }
      // One timer for all queues: what they ask together is one statement.
      polling = setInterval(() => {
        for (const runner of runners.values()) runner.poll()
      }, pollMs)
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
      clearInterval(polling)
      await Promise.all([...runners.values()].map((runner) => runner.stop(patienceMs, afterwardsMs)))
      runners.clear()
      stopHearing()
    },
  }
}
