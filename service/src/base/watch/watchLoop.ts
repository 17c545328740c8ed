import type { Deps } from '../deps.js'

/** How often a task runs, and its longest pause while it fails. */
export type LoopTiming = { tickMs: number; maxBackOffMs: number }

/** A loop of a chain. */
type Loop = LoopTiming & {
  chain: string
  /** The log messages of an outage: one when it starts and one when it is over, however long it lasts. */
  words: { failed: string; again: string }
}

/** Starts a loop that runs a task on a chain, less often while it fails. */
export const watchLoop = (
  { log }: Pick<Deps, 'log'>,
  { chain, words, tickMs, maxBackOffMs }: Loop,
  work: () => Promise<void>,
): WakeableLoop => {
  let failures = 0
  return startLoop(async () => {
    try {
      await work()
      if (failures) log.info({ chain }, words.again)
      failures = 0
    } catch (err) {
      if (!failures) log.warn({ chain, err }, words.failed)
      failures++
    }
    return Math.min(tickMs * 2 ** Math.min(failures, 10), Math.max(maxBackOffMs, tickMs))
  })
}

/** A loop that repeats one task, with pauses that can be cut short. */
export type WakeableLoop = { wake(): void; stop(): Promise<void> }

/**
 * Starts a loop.
 *
 * @param run - Runs the task once and returns how long to pause, in milliseconds. It must not throw.
 * @returns `stop` waits for the run in progress.
 */
export const startLoop = (run: () => Promise<number>): WakeableLoop => {
  let isStopped = false
  let isAwake = false
  let endPause = () => {}

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      isAwake = false
      const pauseMs = await run()
      if (!isStopped && !isAwake) await pause(pauseMs)
    }
  }

  const ended = loop()
  return {
    wake() {
      isAwake = true
      endPause()
    },
    stop() {
      isStopped = true
      endPause()
      return ended
    },
  }
}
