import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../deps.js'
import { ServiceError } from '../errors.js'

/** `retryCount` is how often it was begun before. */
type FetchedJob = { id: string; data: unknown; retryCount: number }

/** What a runner asks of the queue below it. */
export type Queue = {
  fetch(limit: number): Promise<FetchedJob[]>
  complete(id: string): Promise<void>
  /** Gives the job back, to be tried again after a while and after all that wait now. */
  fail(id: string, reason: string, delaySeconds: number): Promise<void>
  /** Says that these jobs are still being worked on. */
  keep(ids: string[]): Promise<void>
  /** Gives jobs back unfinished, for any process to take up after a while. */
  handBack(ids: string[], delayMs: number): Promise<void>
}

/** A queue being worked on. */
export type QueueRunner = {
  /** Looks for work now rather than at the next tick. */
  wake(): void
  /**
   * Takes no more jobs, and resolves when those at work are finished, or when the patience is at its end and they are
   * handed back: nobody else begins them for as long as this process may still be at them.
   */
  stop(patienceMs?: number, afterwardsMs?: number): Promise<void>
}

const pollMs = 1_000
const leastDelaySeconds = 3
const mostDelaySeconds = 60

/** The more often a job has failed, the later it comes again; not before there is any use in it. */
const delayAfter = (retryCount: number, error: unknown): number => {
  const grownSeconds = Math.min(leastDelaySeconds * 2 ** Math.min(retryCount, 10), mostDelaySeconds)
  const askedSeconds = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0
  return Math.max(grownSeconds, askedSeconds)
}

/** Works off one queue, several jobs at a time, each of which succeeds or fails on its own. */
export const runQueue = (
  name: string,
  queue: Queue,
  handle: (data: unknown) => Promise<void>,
  log: Log,
  { keepMs, concurrency }: { keepMs: number; concurrency: number },
): QueueRunner => {
  const running = new Map<string, Promise<void>>()
  let isStopping = false
  let areHandedBack = false
  let isDue = true
  let resume = () => {}

  const wake = () => {
    isDue = true
    resume()
  }
  const run = async ({ id, data, retryCount }: FetchedJob): Promise<void> => {
    try {
      try {
        await handle(data)
        // Another process has it by now, and says itself how it ends.
        if (!areHandedBack) await queue.complete(id)
      } catch (error) {
        if (areHandedBack) return
        log.warn({ err: error, job: name, jobId: id }, 'job failed; it will be tried again')
        const reason = error instanceof Error ? error.name : 'unknown'
        await queue.fail(id, reason, delayAfter(retryCount, error))
      }
    } catch (error) {
      // The queue itself is away. Nobody keeps the job now, so it comes back when its time is up.
      log.warn({ err: error, job: name, jobId: id }, 'the end of a job could not be recorded')
    } finally {
      running.delete(id)
      wake()
    }
  }
  /** The signal came while these were on their way: they were not begun. */
  const giveUp = async (jobs: FetchedJob[]): Promise<void> => {
    if (!jobs.length) return
    await queue
      .handBack(
        jobs.map(({ id }) => id),
        0,
      )
      // They come back when their time is up.
      .catch((error) => log.warn({ err: error, job: name }, 'jobs not handed back'))
  }
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      isDue = false
      const free = concurrency - running.size
      const jobs = free > 0 ? await queue.fetch(free) : []
      if (isStopping) return await giveUp(jobs)
      for (const job of jobs) running.set(job.id, run(job))
      if (isDue) continue
      await new Promise<void>((resolve) => {
        resume = resolve
        setTimeout(resolve, pollMs)
      })
    }
  }

  const looping = loop()
  const keeping = setInterval(() => {
    if (!running.size) return
    queue.keep([...running.keys()]).catch((error) => log.warn({ err: error, job: name }, 'jobs not kept'))
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
