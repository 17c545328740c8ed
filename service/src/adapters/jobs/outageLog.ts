import type { Log } from '#base/deps.js'

/** Writes to the log that the job queue does not answer, once for all queues of a process, and that it answers again. */
export type OutageLog = {
  away(queue: string, error: unknown): void
  back(queue: string): void
}

/** Creates the log of one process. */
export const createOutageLog = (log: Log): OutageLog => {
  const away = new Set<string>()
  return {
    away: (queue, error) => {
      if (away.size === 0)
        log.warn({ err: error, job: queue }, 'the job queue does not answer; it is asked again')
      away.add(queue)
    },
    back: (queue) => {
      if (away.delete(queue) && away.size === 0) log.info({}, 'the job queue answers again')
    },
  }
}
