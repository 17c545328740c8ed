import { ServiceError } from '#base/errors.js'

/** How many tasks may run at once. */
export type BulkheadOptions = {
  maxTasks: number
  /** How many wallets may run tasks at once after a task of theirs got stuck. */
  maxStuckWallets: number
  /** A task that fails after this long was stuck. */
  slowMs: number
}

/**
 * Runs a task under the limit.
 *
 * @param task - Calls `release` when what follows needs no limit.
 * @param wallet - The wallet that the task works for. All that a wallet does at once counts as one task.
 */
export type Bulkhead = <Result>(
  task: (release: () => void) => Promise<Result>,
  wallet?: string,
) => Promise<Result>

type Place = string | symbol

/**
 * Limits how many tasks run at once. Further tasks wait, and run in the order in which they came. The tasks of wallets
 * that got stuck are overtaken, so that they cannot take all places.
 */
export const createBulkhead = (now: () => number, options: BulkheadOptions): Bulkhead => {
  const { maxTasks, maxStuckWallets, slowMs } = options
  /** The places that are taken, and the number of tasks in each. */
  const taken = new Map<Place, number>()
  const waiting = new Set<{ place: Place; admit: () => void }>()
  const stuck = new Set<Place>()

  const hasRoom = (place: Place): boolean => {
    if (taken.has(place)) return true
    if (taken.size >= maxTasks) return false
    if (!stuck.has(place)) return true
    return [...taken.keys()].filter((other) => stuck.has(other)).length < maxStuckWallets
  }
  const admitWaiting = (): void => {
    for (const next of waiting) {
      if (!hasRoom(next.place)) continue
      waiting.delete(next)
      taken.set(next.place, (taken.get(next.place) ?? 0) + 1)
      next.admit()
    }
  }
  const enter = (place: Place): Promise<void> =>
    new Promise((admit) => {
      waiting.add({ place, admit })
      admitWaiting()
    })
  const leave = (place: Place): void => {
    const others = (taken.get(place) ?? 1) - 1
    if (others > 0) taken.set(place, others)
    else taken.delete(place)
    admitWaiting()
  }
  /** A stuck wallet got through: what held it up may have held up the others. */
  const noteProgress = (place: Place): void => {
    if (stuck.has(place)) stuck.clear()
  }

  return async (task, wallet) => {
    const place = wallet ?? Symbol('place')
    await enter(place)
    const startedAtMs = now()
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      leave(place)
    }
    try {
      const result = await task(() => {
        noteProgress(place)
        release()
      })
      noteProgress(place)
      return result
    } catch (error) {
      const isUnavailable = error instanceof ServiceError && error.code === 'chain-unavailable'
      const isSlow = !isReleased && now() - startedAtMs >= slowMs
      // A node that fails says nothing about the wallet.
      if (wallet !== undefined && isSlow && isUnavailable && !error.isOutage) stuck.add(place)
      throw error
    } finally {
      release()
    }
  }
}
