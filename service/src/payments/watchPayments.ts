import type { ChainPort } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { readCursor } from './chainCursor.js'
import { hasWrites } from './hasWrites.js'
import { lookAtHints } from './lookAtHints.js'
import { type LookOptions, lookForPayments } from './lookForPayments.js'
import { expireQuotes, recheckFunds } from './recheckOrders.js'
import { startLoop, type WakeableLoop } from './wakeableLoop.js'

/** How often the watcher looks, and how far back. */
export type WatchOptions = {
  /** Pause between looks at one chain. */
  tickMs: number
  /** Pause between looks at the balances of payers. */
  fundsEveryMs: number
  /** Orders whose payer is looked at in one go. */
  fundsPerCheck: number
  /** Longest pause while a node does not answer. */
  maxBackOffMs: number
  /** Pause between looks at the transactions that buyers reported, and at what the chain may have lost. */
  hintsEveryMs: number
  /** Reported transactions that are looked at in one go. */
  hintsPerCheck: number
} & LookOptions

/** How payments are watched unless a test says otherwise. */
export const defaultWatchOptions: WatchOptions = {
  tickMs: 1000,
  fundsEveryMs: 3000,
  fundsPerCheck: 50,
  maxBackOffMs: 30_000,
  hintsEveryMs: 15_000,
  hintsPerCheck: 20,
  rereadMs: 5 * 60_000,
  maxBlocks: 2000,
}

/** The watcher of every enabled chain. */
export type PaymentWatcher = {
  /** Looks at a chain now rather than at the next tick: the handler of the job `payments.look`. */
  look(data: { chain: string }): Promise<void>
  /** Ends every loop, after the look in progress. */
  stop(): Promise<void>
}

/** Whether a chain has anything of ours to lose. A local one that no order is paid on is seen to once it is used. */
const isInUse = async ({ db }: Deps, chain: ChainPort): Promise<boolean> =>
  (await readCursor(db, chain.chain)) !== undefined || (!chain.isLocal && (await hasWrites(db, chain.chain)))

const watchChain = (deps: Deps, chain: ChainPort, options: WatchOptions): WakeableLoop => {
  let failures = 0
  let fundsCheckedAtMs = Number.NEGATIVE_INFINITY
  let hintsSeenAtMs = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    const areHintsDue = deps.now() - hintsSeenAtMs >= options.hintsEveryMs
    let failure: unknown
    if (areHintsDue && (await isInUse(deps, chain))) {
      hintsSeenAtMs = deps.now()
      // Before all else, and in the way of nothing: neither is to wait for the other to work.
      await chain.recover().catch((error: unknown) => {
        failure = error
      })
    }
    const isUsed = await lookForPayments(deps, chain, options)
    // After looking: a payment in time that was just found keeps its quote.
    await expireQuotes(deps, chain.chain)
    if (isUsed && areHintsDue) await lookAtHints(deps, chain, options.hintsPerCheck)
    if (isUsed && deps.now() - fundsCheckedAtMs >= options.fundsEveryMs) {
      fundsCheckedAtMs = deps.now()
      await recheckFunds(deps, chain.chain, options.fundsPerCheck)
    }
    if (failure) throw failure
  }
  return startLoop(async () => {
    try {
      await look()
      if (failures) deps.log.info({ chain: chain.chain }, 'looking for payments again')
      failures = 0
    } catch (err) {
      // One line an outage, however long it lasts.
      if (!failures) deps.log.warn({ chain: chain.chain, err }, 'cannot look for payments; trying again')
      failures++
    }
    return Math.min(
      options.tickMs * 2 ** Math.min(failures, 10),
      Math.max(options.maxBackOffMs, options.tickMs),
    )
  })
}

/** Starts to watch every enabled chain for payments. A chain that no order is to be paid on is left alone. */
export const watchPayments = (deps: Deps, options: Partial<WatchOptions> = {}): PaymentWatcher => {
  const loops = new Map<string, WakeableLoop>()
  for (const name of deps.chains.enabled) {
    const chain = deps.chains.get(name)
    if (chain) loops.set(name, watchChain(deps, chain, { ...defaultWatchOptions, ...options }))
  }
  return {
    look: async ({ chain }) => loops.get(chain)?.wake(),
    stop: async () => {
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}
