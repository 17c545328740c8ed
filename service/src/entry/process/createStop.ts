import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#base/config/config.js'
import type { Log } from '#base/deps.js'

type Step = { what: string; end: (patienceMs: number) => Promise<void> }

/** The end of a process: running work is finished first, then the resources under it are closed. */
export type Stop = {
  /** Adds running work. All of it ends at once, with the same time limit. */
  during(what: string, end: Step['end']): void
  /** Adds a resource that the work needs. */
  after(what: string, end: Step['end']): void
  /** Adds a resource that everything else needs. */
  atLast(what: string, end: Step['end']): void
  isStopping(): boolean
  /** Announces the end, and waits until a load balancer has noticed it. */
  drain(): Promise<void>
  /** Ends everything and returns the exit status: 1 if something failed or was left. */
  run(): Promise<number>
}

/** The time limit for closing a resource, as opposed to finishing work. */
const closingMs = 3_000

/**
 * How long a process may live after the time limit of its work: closing the work, its resources and the
 * shared ones.
 */
export const afterwardsMs = 3 * closingMs

/**
 * Prepares the end of a process. If one step fails or hangs, the rest still ends.
 *
 * @param closeMs - The time limit for closing a resource, as opposed to finishing work.
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
