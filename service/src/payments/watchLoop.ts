import type { Deps } from '../deps.js'
import { startLoop, type WakeableLoop } from './wakeableLoop.js'

/** How often something is done, and how long at most it is left alone while it fails. */
export type LoopTiming = { tickMs: number; maxBackOffMs: number }

/** What is told of an outage: one line when it begins and one when it is over, however long it lasts. */
type LoopWords = { failed: string; again: string }

/** Starts to do something at a chain again and again, more rarely while it fails. */
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
