import type { Lease } from '#base/db/createLeases.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { ChainUse } from './chainUse.js'
import type { ScheduleOptions } from './createSearchSchedule.js'
import type { LookOptions } from './lookForPayments.js'

/** How often the watcher searches, and how far back. */
export type WatchOptions = {
  /** Pause between two decisions whether one chain is searched. */
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
} & LookOptions &
  ScheduleOptions

/** What the loops of a chain share. */
export type Watched = {
  deps: Deps
  chain: ChainPort
  lease: Lease
  options: WatchOptions
  /** Reads what the chain is asked for now. One statement answers the loops of all chains. */
  readUse(): Promise<ChainUse | undefined>
}
