import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { QueueSlots } from './jobSlots.js'
import type { OutageLog } from './outageLog.js'

/** A job that this process has started. `claim` identifies the start, and `starts` counts it. */
type FetchedJob = { id: string; claim: string; data: unknown; starts: number }

/** What a runner needs of the queue below it. */
export type Queue = {
  fetch(limit: number): Promise<FetchedJob[]>
  complete(claim: string): Promise<void>
  /** Returns a job to the queue, to be tried again after a delay and after all jobs that wait now. */
  fail(claim: string, failure: string, delaySeconds: number): Promise<void>
  /** Reports that these jobs are still running. */
  keep(claims: string[]): Promise<void>
  /** Returns unfinished jobs to the queue, for any process to take after a delay. */
  handBack(claims: string[], delayMs: number): Promise<void>
}

/** The running worker of a queue. */
export type QueueRunner = {
  /** Fetches jobs now rather than at the next tick. */
  wake(): void
  /**
   * Takes no more jobs, and resolves when the running ones are finished or the patience is over and they are
   * handed back. No other process starts them for as long as this process may still work on them.
   */
  stop(patienceMs?: number, afterwardsMs?: number): Promise<void>
}

/** The longest time between two reads of a queue that cannot be read. */
const maxPollMs = 4_000

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
 */
const work = async (
  { name, queue, handle, log }: Worker,
  { id, claim, data, starts }: FetchedJob,
  isTaken: () => boolean,
): Promise<void> => {
  try {
    try {
      await handle(data)
      if (!isTaken()) await queue.complete(claim)
    } catch (error) {
      if (isTaken()) return
      log.warn({ err: error, job: name, jobId: id }, 'job failed; it will be tried again')
      const failure = error instanceof Error ? error.name : 'unknown'
      await queue.fail(claim, failure, delayAfter(starts - 1, error))
    }
  } catch (error) {
    // The queue itself is away. This process no longer keeps the job, so it comes back when its time is up.
    log.warn({ err: error, job: name, jobId: id }, 'the end of a job could not be recorded')
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

/** Creates the reads of a queue. While the database is away there are no jobs, and the reads become rarer. */
const createReads = ({ name, queue }: Worker, pollMs: number, outage: OutageLog) => {
  let failures = 0
  return {
    fetch: async (limit: number): Promise<FetchedJob[]> => {
      try {
        const jobs = await queue.fetch(limit)
        failures = 0
        outage.back(name)
        return jobs
      } catch (error) {
        failures++
        outage.away(name, error)
        return []
      }
    },
    pauseMs: (): number => Math.min(pollMs * 2 ** failures, Math.max(pollMs, maxPollMs)),
  }
}

/**
 * Works on one queue. Each job succeeds or fails separately.
 *
 * @param pollMs - How often the queue is read though nothing woke it.
 */
export const runQueue = (
  name: string,
  queue: Queue,
  handle: (data: unknown) => Promise<void>,
  log: Log,
  { keepMs, pollMs, slots, outage }: { keepMs: number; pollMs: number; slots: QueueSlots; outage: OutageLog },
): QueueRunner => {
  const worker = { name, queue, handle, log }
  const { fetch, pauseMs } = createReads(worker, pollMs, outage)
  const running = new Map<string, Promise<void>>()
  let isStopping = false
  let areHandedBack = false
  let isDue = true
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
    await work(worker, job, () => areHandedBack).finally(() => {
      running.delete(job.claim)
      slots.leave()
    })
  }
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      isDue = false
      const free = slots.takeFree()
      const jobs = free > 0 ? await fetch(free) : []
      mayHoldMore = jobs.length === free
      const begun = isStopping ? [] : jobs
      slots.giveBack(free - begun.length)
      if (isStopping) return await giveUp(worker, jobs)
      for (const job of begun) running.set(job.claim, run(job))
      if (isDue) continue
      await new Promise<void>((resolve) => {
        resume = resolve
        setTimeout(resolve, pauseMs())
      })
    }
  }

  const looping = loop()
  const keeping = setInterval(() => {
    if (!running.size) return
    queue.keep([...running.keys()]).catch((error) => outage.away(name, error))
  }, keepMs)
  return {
    wake,
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
