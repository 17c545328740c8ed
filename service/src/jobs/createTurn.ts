import { ServiceError } from '../errors.js'

/** How many may be at one chain. */
export type TurnOptions = {
  /** At once: fewer than there are places for jobs, so that those of other chains find one. */
  most: number
  /** At once, after one that did not come to an end; and of wallets, those that did not. */
  mostWhenFailing: number
  /** A chain that takes longer than this is slow: nobody waits for a place at it. */
  slowMs: number
}

/** What is done in a place. */
type TurnWork = {
  /** A write that ends well shows that the chain takes what it is sent; that its node answers does not. */
  isWrite: boolean
  /** Whose own work it is, if it is one wallet's: all that it does at once has one place, as its job has. */
  wallet?: string | undefined
}

/** Does something at a chain, in a place there. */
export type Turn = <Result>(work: () => Promise<Result>, terms: TurnWork) => Promise<Result>

/**
 * Makes the places at a chain. A wallet that does not come to an end says nothing of the chain, unless it is the node
 * that failed: it finds fewer places then, shared with others like it, until one of them comes to an end.
 *
 * @throws {ServiceError} `chain-unavailable`, from what it makes, where there is no place to be waited for.
 */
export const createTurn = (chain: string, now: () => number, options: TurnOptions): Turn => {
  const { most, mostWhenFailing, slowMs } = options
  /** What has begun and not ended, oldest first. */
  const open = new Set<{ sinceMs: number; place: string | symbol }>()
  const waiting = new Set<() => void>()
  const stuck = new Set<string | symbol>()
  let isFailing = false

  const hasPlace = (place: string | symbol): boolean => {
    const taken = new Set([...open].map((one) => one.place))
    if (taken.has(place)) return true
    const stuckCount = [...taken].filter((one) => stuck.has(one)).length
    if (stuck.has(place) && stuckCount >= mostWhenFailing) return false
    return taken.size < (isFailing ? mostWhenFailing : most)
  }
  const waitForPlace = async (place: string | symbol, untilMs: number): Promise<void> => {
    // While some are quick there will be a place soon, however long others take.
    const newestMs = Math.max(...[...open].map(({ sinceMs }) => sinceMs))
    const patienceMs = Math.min(untilMs, newestMs + slowMs) - now()
    if (isFailing || stuck.has(place) || patienceMs <= 0) {
      const message = `The chain ${chain} is slow to take what is on its way.`
      throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 3 })
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
  const wakeAll = (): void => {
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }
  /** Takes note of what did not come to an end. What fails at once holds nobody up. */
  const noteFailure = (error: unknown, wallet: string | undefined): void => {
    if (!(error instanceof ServiceError) || error.code !== 'chain-unavailable') return
    if (wallet === undefined || error.isOutage) isFailing = true
    else stuck.add(wallet)
  }

  return async (work, { isWrite, wallet }) => {
    const place = wallet ?? Symbol('place')
    const untilMs = now() + slowMs
    while (!hasPlace(place)) await waitForPlace(place, untilMs)
    const mine = { sinceMs: now(), place }
    open.add(mine)
    try {
      const result = await work()
      if (isWrite) isFailing = false
      // What held it up may have held up the others.
      if (stuck.has(place)) stuck.clear()
      return result
    } catch (error) {
      if (now() - mine.sinceMs >= slowMs) noteFailure(error, wallet)
      throw error
    } finally {
      open.delete(mine)
      wakeAll()
    }
  }
}
