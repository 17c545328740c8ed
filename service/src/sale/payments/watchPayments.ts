import { createLease, type Lease } from '#base/db/createLease.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WakeableLoop } from '#base/watch/watchLoop.js'
import { watchLoop } from '#base/watch/watchLoop.js'
import { giveUpHints, lookAtHints } from './lookAtHints.js'
import { type LookOptions, lookForPayments } from './lookForPayments.js'
import { expireQuotes, recheckFunds } from './recheckOrders.js'
import { recoverLost } from './recordLost.js'

/** How often the watcher searches, and how far back. */
export type WatchOptions = {
  /** Pause between searches of one chain. */
  tickMs: number
  /** Shortest time between searches that new blocks begin. */
  headEveryMs: number
  /** Pause between checks of payers' balances. */
  fundsEveryMs: number
  /** How many orders' payers one check covers. */
  fundsPerCheck: number
  /** Longest pause while a node does not answer. */
  maxBackOffMs: number
  /** Pause between checks of what the chain may have lost. */
  recoverEveryMs: number
  /** Pause between checks of the transactions that buyers reported. */
  hintsEveryMs: number
  /** How many reported transactions one check covers. */
  hintsPerCheck: number
} & LookOptions

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
const reportWords = {
  failed: 'cannot give up reported transactions; trying again',
  again: 'giving up reported transactions again',
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

const watchChain = (deps: Deps, chain: ChainPort, lease: Lease, options: WatchOptions): WakeableLoop => {
  let isAsked = false
  let fundsCheckedAtMs = Number.NEGATIVE_INFINITY
  let hintsSeenAtMs = Number.NEGATIVE_INFINITY
  const loop = watchLoop(deps, chain.chain, options, words, async () => {
    // A process that is asked to look does so at once, beside the one that always looks.
    if (!isAsked && !(await lease.hold())) return
    isAsked = false
    const isUsed = await lookForPayments(deps, chain, options)
    // Runs after the search, so that a payment in time that was just found keeps its quote.
    await expireQuotes(deps, chain.chain)
    if (isUsed && deps.now() - hintsSeenAtMs >= options.hintsEveryMs) {
      hintsSeenAtMs = deps.now()
      await lookAtHints(deps, chain, options.hintsPerCheck)
    }
    if (isUsed && deps.now() - fundsCheckedAtMs >= options.fundsEveryMs) {
      fundsCheckedAtMs = deps.now()
      await recheckFunds(deps, chain.chain, options.fundsPerCheck)
    }
  })
  const unwatch = chain.watchHeads?.(throttle(loop.wake, options.headEveryMs))
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

/**
 * Starts to give up the reported transactions of a chain's orders. It runs beside the search for payments, because
 * it asks the nodes of all chains, and one that does not answer must not delay the payments of another.
 */
const watchReports = (
  deps: Deps,
  { chain }: ChainPort,
  lease: Lease,
  { tickMs, hintsEveryMs, hintsPerCheck, maxBackOffMs }: WatchOptions,
): WakeableLoop =>
  watchLoop(deps, chain, { tickMs: Math.max(tickMs, hintsEveryMs), maxBackOffMs }, reportWords, async () => {
    if (await lease.hold()) await giveUpHints(deps, chain, hintsPerCheck)
  })

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
  for (const name of deps.chains.enabled) {
    const chain = deps.chains.get(name)
    if (!chain) continue
    const lease = createLease(deps.db, `watch:${name}`)
    leases.push(lease)
    loops.set(name, watchChain(deps, chain, lease, given))
    others.push(watchReports(deps, chain, lease, given))
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
