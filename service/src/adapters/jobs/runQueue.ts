import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { QueueSlots } from './jobSlots.js'
import type { FetchedJob, Queue } from './openQueues.js'
import type { OutageLog } from './outageLog.js'

/** The running worker of a queue. */
export type QueueRunner = {
  /** Fetches jobs now, because there may be new ones. */
  wake(): void
  /** Fetches jobs now, in case a notice was lost or another process is gone. */
  poll(): void
  /**
   * Takes no more jobs, and resolves when the running ones are finished or the patience is over and they are
   * handed back. No other process starts them for as long as this process may still work on them.
   */
  stop(patienceMs?: number, afterwardsMs?: number): Promise<void>
}

/** The shortest and the longest time until a queue that could not be read is read again. */
const minRetryMs = 2_000
const maxRetryMs = 4_000

/** The shortest time until the next due jobs are fetched: those that come due within it share a statement. */
const gatherMs = 500

const minDelaySeconds = 3
const maxDelaySeconds = 60

/**
 * Returns the delay before a retry. It grows with the failures, and is at least the error's own
 * `retryAfterSeconds`.
 */
const delayAfter = (failures: number, error: unknown): number => {
  const grownSeconds = Math.min(minDelaySeconds * 2 ** Math.min(failures, 10), maxDelaySeconds)
  const askedSeconds = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0
  return Math.max(grownSeconds, askedSeconds)
}

/** What works on the jobs of one queue. */
type Worker = { name: string; queue: Queue; handle: (data: unknown) => Promise<void>; log: Log }

/**
 * Works on one job and records its end.
 *
 * @param isTaken - Whether another process has taken the job, and records its end.
 * @returns Whether it has failed, and is back in the queue.
 */
const work = async (
  { name, queue, handle, log }: Worker,
  { id, claim, data, starts }: FetchedJob,
  isTaken: () => boolean,
): Promise<boolean> => {
  try {
    try {
      await handle(data)
      if (!isTaken()) await queue.complete(claim)
      return false
    } catch (error) {
      if (isTaken()) return false
      log.warn({ err: error, job: name, jobId: id }, 'job failed; it will be tried again')
      const failure = error instanceof Error ? error.name : 'unknown'
      await queue.fail(claim, failure, delayAfter(starts - 1, error))
      return true
    }
  } catch (error) {
    // The queue itself is away. This process no longer keeps the job, so it comes back when its time is up.
    log.warn({ err: error, job: name, jobId: id }, 'the end of a job could not be recorded')
    return false
  }
}

/** Hands back jobs that were fetched as the process began to stop, and that have not started. */
const giveUp = async ({ name, queue, log }: Worker, jobs: readonly FetchedJob[]): Promise<void> => {
  if (!jobs.length) return
  const claims = jobs.map(({ claim }) => claim)
  // They come back when their time is up.
  await queue
    .handBack(claims, 0)
    .catch((error) => log.warn({ err: error, job: name }, 'jobs not handed back'))
}

/**
 * Creates the reads of a queue. While the database is away there are no jobs, and the reads become rarer.
 *
 * @returns The jobs, and when to read again unless something wakes the runner before; `undefined` for not at all.
 */
const createReads = ({ name, queue }: Worker, pollMs: number, outage: OutageLog) => {
  let failures = 0
  return async (limit: number, isPoll: boolean): Promise<{ jobs: FetchedJob[]; againMs?: number }> => {
    try {
      const { jobs, nextMs } = await queue.fetch(limit, isPoll)
      failures = 0
      outage.back(name)
      // A poll comes before, and knows more.
      if (nextMs === undefined || nextMs > pollMs) return { jobs }
      // Timers may end a millisecond early.
      return { jobs, againMs: Math.max(Math.ceil(nextMs) + 1, gatherMs) }
    } catch (error) {
      failures++
      outage.away(name, error)
      return { jobs: [], againMs: Math.min(minRetryMs * 2 ** (failures - 1), maxRetryMs) }
    }
  }
}

/**
 * Works on one queue. Each job succeeds or fails separately.
 *
 * @param pollMs - How often the caller polls.
 */
export const runQueue = (
  worker: Worker,
  { keepMs, pollMs, slots, outage }: { keepMs: number; pollMs: number; slots: QueueSlots; outage: OutageLog },
): QueueRunner => {
  const { name, queue } = worker
  const fetch = createReads(worker, pollMs, outage)
  const running = new Map<string, Promise<void>>()
  let isStopping = false
  let areHandedBack = false
  let isDue = true
  let isPoll = true
  let resume = () => {}

  const wake = () => {
    isDue = true
    resume()
  }
  /** Whether the queue may contain more jobs than were fetched, because all slots were taken. */
  let mayHoldMore = true
  slots.onLeave = () => {
    if (mayHoldMore) wake()
  }
  const run = async (job: FetchedJob): Promise<void> => {
    const isBack = await work(worker, job, () => areHandedBack)
    running.delete(job.claim)
    slots.leave()
    // To hear when it is due again.
    if (isBack) wake()
  }
  const pause = async (ms: number | undefined): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      resume = resolve
      if (ms !== undefined) timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }
  const fetchFree = async (free: number) => {
    const isPolling = isPoll
    isPoll = false
    return fetch(free, isPolling)
  }
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      isDue = false
      const free = slots.takeFree()
      const { jobs, againMs } = free > 0 ? await fetchFree(free) : { jobs: [] }
      mayHoldMore = jobs.length === free
      const begun = isStopping ? [] : jobs
      slots.giveBack(free - begun.length)
      if (isStopping) return await giveUp(worker, jobs)
      for (const job of begun) running.set(job.claim, run(job))
      if (!isDue) await pause(againMs)
    }
  }

  const looping = loop()
  const keeping = setInterval(() => {
    if (!running.size) return
    queue.keep([...running.keys()]).catch((error) => outage.away(name, error))
  }, keepMs)
  return {
    wake,
    poll: () => {
      isPoll = true
      wake()
    },
    stop: async (patienceMs, afterwardsMs = 0) => {
      isStopping = true
      wake()
      const finished = looping.then(() => Promise.all(running.values()))
      const isLate = patienceMs !== undefined && sleep(patienceMs, undefined, { ref: false })
      await (isLate ? Promise.race([finished, isLate]) : finished)
      clearInterval(keeping)
      if (!running.size) return
      areHandedBack = true
      await queue.handBack([...running.keys()], afterwardsMs)
    },
  }
}
