import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { liveForMs } from '../orders/watchTargets.js'
import type { ChainUse } from './chainUse.js'

/** How often a chain is searched while nothing calls for it. */
export type ScheduleOptions = {
  /** How long a chain counts as in use after its last order could be paid: payments come a little late. */
  lingerMs: number
  /** Pause between searches of a chain that was in use in the last hours. */
  lateUseEveryMs: number
  /** Pause between searches of a chain at rest, for payments that come very late, or on the wrong chain. */
  restEveryMs: number
  /** Pause between searches while the node is behind the last one. */
  behindEveryMs: number
}

/** Decides when a chain is searched for payments. */
export type SearchSchedule = {
  /** Notes that the node has announced a block. */
  announce(number?: bigint): void
  /** Whether the chain is in use, so that a new block is searched at once. */
  isInUse(): boolean
  /** Whether there may be something to find. Asks the node for the number of its newest block at most. */
  isDue(use: ChainUse): Promise<boolean>
  /** Runs a search. If it fails, the next one is due at once. */
  run(search: () => Promise<unknown>): Promise<void>
}

/**
 * Creates the schedule of a chain's search. While an order can be paid on the chain, that is each new block: announced by
 * the node, or found by asking for its number. Afterwards it is once in a minute, and at rest once in ten, and the node is
 * asked nothing in between.
 */
export const createSearchSchedule = (
  { now }: Pick<Deps, 'now'>,
  chain: ChainPort,
  { lingerMs, lateUseEveryMs, restEveryMs, behindEveryMs }: ScheduleOptions,
): SearchSchedule => {
  let usedAtMs = Number.NEGATIVE_INFINITY
  let searchedAtMs = Number.NEGATIVE_INFINITY
  let isAnnounced = false
  let announced = 0n
  let wasLive = false
  let lastSearched: bigint | undefined

  /** Whether the node has a block that was not searched. */
  const hasNews = async (searched: bigint): Promise<boolean> => {
    if (isAnnounced) return true
    const isLive = chain.announcesHeads?.() ?? false
    // A block may have come just before the node began to announce them.
    const hasMissedNone = isLive && wasLive
    wasLive = isLive
    // The node that announces may be ahead of the one that is asked.
    if (hasMissedNone && announced <= searched) return false
    const isQuick = lastSearched !== undefined && searched - lastSearched > 1n
    lastSearched = searched
    // Of a chain that makes several blocks in a pause, the answer is known: there are new ones.
    if (isQuick) return true
    const number = await chain.getHeadNumber()
    if (number === searched) return false
    // A local chain may have been reset. Another node is behind, and the search finds out whether it stays so.
    return number > searched || chain.isLocal || now() - searchedAtMs >= behindEveryMs
  }

  return {
    announce: (number) => {
      isAnnounced = true
      if (number !== undefined) announced = number
    },
    isInUse: () => now() - usedAtMs < lingerMs,
    isDue: async ({ isBusy, isWatched, cursor }) => {
      if (isBusy) usedAtMs = now()
      if (!isBusy && !isWatched) return false
      // Nothing can have been paid on a local chain that never ran.
      if (!cursor) return chain.isStarted() && now() - searchedAtMs >= (isBusy ? 0 : restEveryMs)
      const unusedMs = now() - usedAtMs
      if (unusedMs < lingerMs) return cursor.number === null || hasNews(cursor.number)
      const everyMs = unusedMs < liveForMs ? lateUseEveryMs : restEveryMs
      return now() - Math.max(cursor.savedAtMs, searchedAtMs) >= everyMs
    },
    run: async (search) => {
      isAnnounced = false
      try {
        await search()
        searchedAtMs = now()
      } catch (error) {
        isAnnounced = true
        searchedAtMs = Number.NEGATIVE_INFINITY
        throw error
      }
    },
  }
}
