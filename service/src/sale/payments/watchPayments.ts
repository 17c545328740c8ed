import { createLeases, type Lease } from '#base/db/createLeases.js'
import type { Deps } from '#base/deps.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { WakeableLoop } from '#base/watch/watchLoop.js'
import { watchLoop } from '#base/watch/watchLoop.js'
import { readChainUses } from './chainUse.js'
import { createSearchSchedule } from './createSearchSchedule.js'
import { expireQuotes } from './expireQuotes.js'
import { lookForPayments } from './lookForPayments.js'
import { recoverLost } from './recordLost.js'
import { watchFunds, watchHints, watchReports } from './watchBeside.js'
import type { Watched, WatchOptions } from './watched.js'

/** The default options, which tests may override. */
export const defaultWatchOptions: WatchOptions = {
  tickMs: 1000,
  headEveryMs: 500,
  fundsEveryMs: 3000,
  fundsPerCheck: 50,
  maxBackOffMs: 30_000,
  recoverEveryMs: 15_000,
  hintsEveryMs: 15_000,
  hintsPerCheck: 20,
  rereadMs: 5 * 60_000,
  maxBlocks: 2000,
  lateEveryMs: 10 * 60_000,
  restEveryMs: 10 * 60_000,
  lingerMs: 2 * 60_000,
  lateUseEveryMs: 60_000,
  behindEveryMs: 10_000,
}

/** The watcher of every enabled chain. */
export type PaymentWatcher = {
  /** Searches a chain now rather than at the next tick: the handler of the job `payments.look`. */
  look(data: { chain: string }): Promise<void>
  /** Ends every loop, after the run in progress. */
  stop(): Promise<void>
}

const words = {
  failed: 'cannot look for payments; trying again',
  again: 'looking for payments again',
}
/** Calls at most once in a time: at once, and again at its end if it was called meanwhile. */
const throttle = (call: () => void, everyMs: number): (() => void) => {
  let waiting: 'no' | 'idle' | 'due' = 'no'
  const run = (): void => {
    call()
    waiting = 'idle'
    setTimeout(() => {
      const isDue = waiting === 'due'
      waiting = 'no'
      if (isDue) run()
    }, everyMs).unref()
  }
  return () => {
    if (waiting === 'no') run()
    else waiting = 'due'
  }
}

const watchChain = ({ deps, chain, lease, options, readUse }: Watched): WakeableLoop => {
  const schedule = createSearchSchedule(deps, chain, options)
  let isAsked = false
  const loop = watchLoop(deps, { ...options, chain: chain.chain, words }, async () => {
    // A process that is asked to look does so at once, beside the one that always looks.
    const isNow = isAsked
    if (!isNow && !(await lease.hold())) return
    isAsked = false
    const use = await readUse()
    if (isNow || (use && (await schedule.isDue(use)))) {
      await schedule.run(() => lookForPayments(deps, chain, options))
    }
    // Runs after the search, so that a payment in time that was just found keeps its quote.
    if (use?.hasExpired) await expireQuotes(deps, chain.chain)
  })
  const wake = throttle(loop.wake, options.headEveryMs)
  const unwatch = chain.watchHeads?.((number) => {
    schedule.announce(number)
    if (schedule.isInUse()) wake()
  })
  return {
    wake: () => {
      isAsked = true
      loop.wake()
    },
    stop: () => {
      unwatch?.()
      return loop.stop()
    },
  }
}

/** How long what orders ask of the chains is shared between loops. */
const useKeptMs = 500

/**
 * Starts to watch every enabled chain for payments, and for transactions of the service that it loses. A
 * chain that has no order to pay and no transaction of the service is left alone. Of the processes that share a
 * database, one watches a chain, and another takes over if it ends.
 */
export const watchPayments = (deps: Deps, options: Partial<WatchOptions> = {}): PaymentWatcher => {
  const given = { ...defaultWatchOptions, ...options }
  const loops = new Map<string, WakeableLoop>()
  const others: WakeableLoop[] = []
  const leases: Lease[] = []
  const keptMs = Math.min(useKeptMs, given.tickMs / 2)
  const readUses = memoizeAsync(
    () => readChainUses(deps.db, deps.chains.enabled, deps.now()),
    keptMs,
    () => performance.now(),
  )
  const openLease = createLeases(deps.db)
  for (const name of deps.chains.enabled) {
    const chain = deps.chains.get(name)
    if (!chain) continue
    const lease = openLease(`watch:${name}`)
    leases.push(lease)
    const readUse = async () => (await readUses()).get(name)
    const watched = { deps, chain, lease, options: given, readUse }
    loops.set(name, watchChain(watched))
    others.push(watchFunds(watched), watchHints(watched), watchReports(watched))
    others.push(recoverLost(deps, chain, lease, { ...given, tickMs: given.recoverEveryMs }))
  }
  return {
    look: async ({ chain }) => loops.get(chain)?.wake(),
    stop: async () => {
      await Promise.all([...loops.values(), ...others].map((loop) => loop.stop()))
      await Promise.all(leases.map((lease) => lease.release()))
    },
  }
}
