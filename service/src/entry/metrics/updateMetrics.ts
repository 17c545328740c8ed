import { members } from 'kassa/schema'
import type { Database } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { withTimeout } from '#base/lib/withTimeout.js'
import type { ChainPort } from '#base/ports/chain.js'
import { jobNames } from '#base/ports/jobNames.js'
import type { Readiness } from '#interface/http/health.js'
import { readCursor } from '#sale/payments/chainCursor.js'
import type { Metrics } from './createMetrics.js'
import type { Counts } from './readCounts.js'

/** The state of a chain, as far as it answered. */
type ChainReading = {
  chain: string
  isUp: boolean
  headTimeMs?: number
  lagBlocks?: number
  lookAgeSeconds?: number
  balance?: { currency: string; coins: number }
}

/** Reads a chain's state, and from the database how far it was searched for payments. */
const readChain = async (db: Database, port: ChainPort, nowMs: number): Promise<ChainReading> => {
  const [head, units, cursor] = await Promise.all([
    withTimeout(port.getHead()),
    withTimeout(port.getOperatorBalance()),
    withTimeout(readCursor(db, port.chain)),
  ])
  const [native] = port.currencies
  return {
    chain: port.chain,
    isUp: head !== undefined,
    ...(head && { headTimeMs: head.timestampMs }),
    ...(cursor && { lookAgeSeconds: Math.max(0, nowMs - cursor.savedAtMs) / 1000 }),
    ...(head && cursor?.number && { lagBlocks: Math.max(0, Number(head.number - cursor.number)) }),
    // For display only: this format has no exact numbers.
    ...(units !== undefined &&
      native && { balance: { currency: native.currency, coins: Number(units) / 10 ** native.decimals } }),
  }
}

/** What a scrape needs. */
export type ScrapeDeps = Pick<Deps, 'db' | 'chains' | 'now'> & {
  readCounts(): Promise<Counts>
  /** Local chains are not started for a scrape. */
  isStarted(chain: string): boolean
  checkReadiness(): Promise<Readiness>
}

const jobStates = ['active', 'waiting', 'delayed'] as const
const outcomes = ['pending', 'succeeded', 'failed']

/** Writes every label, also those with a count of zero: an alert cannot match a missing one. */
const writeCounts = (
  metrics: Metrics,
  { orders, jobs, deliveries, lostPayments }: Counts,
  chains: readonly string[],
): void => {
  for (const phase of members.phases) metrics.orders.set({ phase }, 0)
  for (const { phase, count } of orders) metrics.orders.set({ phase }, count)
  for (const name of jobNames) {
    metrics.oldestJob.set({ name }, 0)
    for (const state of jobStates) metrics.jobs.set({ name, state }, 0)
  }
  for (const { name, state, count, oldestSeconds } of jobs) {
    if (!(jobNames as readonly string[]).includes(name)) continue
    metrics.jobs.set({ name, state }, count)
    if (state === 'waiting') metrics.oldestJob.set({ name }, Math.max(0, oldestSeconds))
  }
  for (const outcome of outcomes) metrics.deliveries.set({ outcome }, 0)
  for (const { outcome, count } of deliveries) metrics.deliveries.set({ outcome }, count)
  for (const chain of chains) metrics.lostPayments.set({ chain }, 0)
  for (const { chain, count } of lostPayments) metrics.lostPayments.set({ chain }, count)
}

const writeChain = (metrics: Metrics, reading: ChainReading, nowMs: number): void => {
  const { chain, isUp, headTimeMs, lagBlocks, lookAgeSeconds, balance } = reading
  metrics.chainUp.set({ chain }, isUp ? 1 : 0)
  // The block that was the newest grows older while the node is away. Before the first one, it counts from now.
  const newestMs = headTimeMs ?? metrics.headTimesMs.get(chain) ?? nowMs
  metrics.headTimesMs.set(chain, newestMs)
  metrics.headAge.set({ chain }, Math.max(0, nowMs - newestMs) / 1000)
  if (lagBlocks !== undefined) metrics.lagBlocks.set({ chain }, lagBlocks)
  if (lookAgeSeconds !== undefined) metrics.lookAge.set({ chain }, lookAgeSeconds)
  if (balance) metrics.balance.set({ chain, currency: balance.currency }, balance.coins)
}

/**
 * Updates the metrics of the database and the chains. A source that does not answer keeps its last value, and
 * its outage is reported separately: an alert on a missing value would end when it is needed most.
 */
export const updateMetrics = async (metrics: Metrics, deps: ScrapeDeps): Promise<void> => {
  const ports = deps.chains.enabled.flatMap((name) => {
    metrics.chainErrors.inc({ chain: name }, 0)
    const port = deps.chains.get(name)
    return port && deps.isStarted(name) ? [port] : []
  })
  // Counts that are late for this scrape are there for the next.
  const counted = deps.readCounts().then((counts) => writeCounts(metrics, counts, deps.chains.enabled))
  const [readiness, , ...chains] = await Promise.all([
    deps.checkReadiness(),
    withTimeout(counted),
    ...ports.map((port) => readChain(deps.db, port, deps.now())),
  ])
  metrics.ready.set(readiness.status === 'ready' ? 1 : 0)
  metrics.databaseUp.set(readiness.database === 'up' ? 1 : 0)
  for (const chain of chains) writeChain(metrics, chain, deps.now())
}
