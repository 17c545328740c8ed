import type { Deps } from '../deps.js'
import type { ChainPort } from '../ports/chain.js'
import { giveUpHints, lookAtHints } from './lookAtHints.js'
import { type LookOptions, lookForPayments } from './lookForPayments.js'
import { expireQuotes, recheckFunds } from './recheckOrders.js'
import { recoverLost } from './recordLost.js'
import type { WakeableLoop } from './watchLoop.js'
import { watchLoop } from './watchLoop.js'

/** How often the watcher searches, and how far back. */
export type WatchOptions = {
  /** Pause between searches of one chain. */
  tickMs: number
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
  fundsEveryMs: 3000,
  fundsPerCheck: 50,
  maxBackOffMs: 30_000,
  recoverEveryMs: 15_000,
  hintsEveryMs: 15_000,
  hintsPerCheck: 20,
  rereadMs: 5 * 60_000,
  maxBlocks: 2000,
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

const watchChain = (deps: Deps, chain: ChainPort, options: WatchOptions): WakeableLoop => {
  let fundsCheckedAtMs = Number.NEGATIVE_INFINITY
  let hintsSeenAtMs = Number.NEGATIVE_INFINITY
  return watchLoop(deps, chain.chain, options, words, async () => {
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
}

/**
 * Starts to give up the reported transactions of a chain's orders. It runs beside the search for payments, because
 * it asks the nodes of all chains, and one that does not answer must not delay the payments of another.
 */
const watchReports = (
  deps: Deps,
  { chain }: ChainPort,
  { tickMs, hintsEveryMs, hintsPerCheck, maxBackOffMs }: WatchOptions,
): WakeableLoop =>
  watchLoop(deps, chain, { tickMs: Math.max(tickMs, hintsEveryMs), maxBackOffMs }, reportWords, () =>
    giveUpHints(deps, chain, hintsPerCheck),
  )

/**
 * Starts to watch every enabled chain for payments, and for transactions of the service that it loses. A
 * chain that has no order to pay and no transaction of the service is left alone.
 */
export const watchPayments = (deps: Deps, options: Partial<WatchOptions> = {}): PaymentWatcher => {
  const given = { ...defaultWatchOptions, ...options }
  const loops = new Map<string, WakeableLoop>()
  const others: WakeableLoop[] = []
  for (const name of deps.chains.enabled) {
    const chain = deps.chains.get(name)
    if (!chain) continue
    loops.set(name, watchChain(deps, chain, given))
    others.push(watchReports(deps, chain, given))
    others.push(recoverLost(deps, chain, { ...given, tickMs: given.recoverEveryMs }))
  }
  return {
    look: async ({ chain }) => loops.get(chain)?.wake(),
    stop: async () => {
      await Promise.all([...loops.values(), ...others].map((loop) => loop.stop()))
    },
  }
}
