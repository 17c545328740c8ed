import type { Deps } from '../deps.js'
import { startLoop, type WakeableLoop } from './wakeableLoop.js'

/** How often a task runs, and its longest pause while it fails. */
export type LoopTiming = { tickMs: number; maxBackOffMs: number }

/** The log messages of an outage: one when it starts and one when it is over, however long it lasts. */
type LoopWords = { failed: string; again: string }

/** Starts a loop that runs a task on a chain, less often while it fails. */
export const watchLoop = (
  { log }: Pick<Deps, 'log'>,
  chain: string,
  { tickMs, maxBackOffMs }: LoopTiming,
  words: LoopWords,
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
