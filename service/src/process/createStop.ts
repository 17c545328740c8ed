import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.js'
import type { Log } from '../deps.js'

type Step = { what: string; end: (patienceMs: number) => Promise<void> }

/** The end of a process: what is at work is finished first, then what that stands on is closed. */
export type Stop = {
  /** Adds what is at work: all of it ends at once, each given the same patience. */
  during(what: string, end: Step['end']): void
  /** Adds what the work needs. */
  after(what: string, end: Step['end']): void
  /** Adds what all else needs. */
  atLast(what: string, end: Step['end']): void
  isStopping(): boolean
  /** Says that the end has come, and waits until a load balancer has seen it. */
  drain(): Promise<void>
  /** Ends everything, and answers the exit status: 1 where something failed or was left. */
  run(): Promise<number>
}

/** How long what is closed, rather than finished, may take. */
const closingMs = 3_000

/** How long a process may live when the time of its work is over: work, what that needs, and what all needs are closed. */
export const afterwardsMs = 3 * closingMs

/**
 * Prepares the end of a process. Whatever fails or hangs at it, the rest is ended too.
 *
 * @param closeMs - How long what is closed, rather than finished, may take.
 */
export const createStop = (
  log: Log,
  { drainMs, shutdownMs }: Pick<Config, 'drainMs' | 'shutdownMs'>,
  closeMs = closingMs,
): Stop => {
  const during: Step[] = []
  const after: Step[] = []
  const atLast: Step[] = []
  let isStopping = false

  const endOne = async ({ what, end }: Step, patienceMs: number): Promise<boolean> => {
    const ended = end(patienceMs).then(
      () => true,
      (err: unknown) => {
        log.error({ err }, `stopping ${what} failed`)
        return false
      },
    )
    const late = sleep(patienceMs + closeMs, undefined, { ref: false })
    const isEnded = await Promise.race([ended, late])
    if (isEnded === undefined) log.error({ what }, 'did not stop in time, and is left')
    return isEnded ?? false
  }
  const endAll = async (steps: readonly Step[], patienceMs: number): Promise<boolean> =>
    !(await Promise.all(steps.map((step) => endOne(step, patienceMs)))).includes(false)

  return {
    during: (what, end) => void during.push({ what, end }),
    after: (what, end) => void after.push({ what, end }),
    atLast: (what, end) => void atLast.push({ what, end }),
    isStopping: () => isStopping,
    drain: async () => {
      isStopping = true
      await sleep(drainMs)
    },
    run: async () => {
      isStopping = true
      const areEnded = [await endAll(during, shutdownMs), await endAll(after, 0), await endAll(atLast, 0)]
      return areEnded.includes(false) ? 1 : 0
    },
  }
}
