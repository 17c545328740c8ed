import type { Config } from '../../../service/src/base/config/config.js'
import { createNotices } from '../../../service/src/base/db/notices.js'
import { jobs as jobsTable } from '../../../service/src/base/db/tables/index.js'
import type { Deps } from '../../../service/src/base/deps.js'
import type { JobData } from '../../../service/src/base/ports/jobs.js'
import { createOrderHandlers } from '../../../service/src/sale/orders/handlers.js'
import { explainLostPayment } from '../../../service/src/sale/orders/refund.js'
import { expireQuotes } from '../../../service/src/sale/payments/expireQuotes.js'
import { giveUpHints, lookAtHints } from '../../../service/src/sale/payments/lookAtHints.js'
import { lookForPayments } from '../../../service/src/sale/payments/lookForPayments.js'
import { recheckFunds } from '../../../service/src/sale/payments/recheckFunds.js'
import { openChainPort } from './chainPort.js'
import { openDatabase } from './database.js'
import { chainName, type OutboxDeps, recoverCalls } from './outbox.js'
import type { Row } from './parser.js'
import type { OpenTransaction } from './storage.js'
import type { World } from './world.js'

/** What a statement or a request throws once its process has ended. */
class ProcessEndedError extends Error {}

/** How long a quote is valid. Short, so that little of the simulated time passes without events. */
const quoteTtlMs = 120_000
/** How long a payment waits for its capture. */
const captureMs = 4 * 60_000

const watchOptions = { rereadMs: 5 * 60_000, maxBlocks: 2000, lateEveryMs: 10 * 60_000 }
const hintsPerLook = 20

/** The settings that the simulated verbs read. */
const config = {
  environment: 'staging',
  publicUrl: 'https://kassa.example',
  namespace: 'kassa',
  chains: { [chainName]: { rpcUrl: 'https://node.example', confirmations: 3, nftContracts: [], tokens: [] } },
  sponsorsGas: false,
  sanctionedAddresses: new Set<string>(),
  quoteTtlMs,
  captureMs,
  reportedTtlMs: 10 * 60_000,
  subscriptionDays: 30,
  currencies: undefined,
  salesTaxBasisPoints: 0,
  shippingUsd: '0',
  refunds: { perPayerPerHour: 3, perProjectPerHour: 8, minimums: {} },
} as unknown as Config

const createRandomBytes =
  ({ dice }: World) =>
  (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => dice.between('byte', 0, 255))

/** One process of the service, with the real verbs, job handlers and watcher on simulated ports. */
export class ServiceProcess {
  isAlive = true
  isLooking = false
  readonly open = new Set<OpenTransaction>()
  readonly deps: Deps
  private readonly handlers: Readonly<Record<string, (data: never) => Promise<void>>>
  private readonly outbox: OutboxDeps

  readonly name: string
  private readonly world: World

  constructor(name: string, world: World) {
    this.name = name
    this.world = world
    const { storage, timeline, dice, chain } = world
    const now = () => timeline.nowMs - (timeline.nowMs % world.tickMs)
    const step = () => this.step()
    const db = openDatabase({ storage, now, step, open: this.open })
    this.outbox = {
      db,
      chain,
      dice,
      now,
      request: () => this.request(),
      explainUndue: (key) => explainLostPayment(db, key),
      onSigned: (call) => world.invariants.onSigned(call),
    }
    const lag = () => (dice.isCalm ? 0 : world.lagOf(this.name))
    const port = openChainPort({ ...this.outbox, lag })
    const log = (level: string) => (fields: { err?: unknown }, message: string) => {
      world.note(() => `${this.name} ${level}: ${message}`)
      if (fields.err !== undefined) world.invariants.onFailure(message, fields.err)
    }
    const deps = {
      config,
      db,
      jobs: {
        enqueue: (tx: typeof db, name: string, data: unknown, options?: object) =>
          this.enqueue(tx, name, data, options),
      },
      // No notice reaches the other process, which has to notice every change without one.
      notices: createNotices(name, undefined),
      // Its buyers poll.
      orderStreams: { listFollowed: () => [] },
      chains: { enabled: [chainName], get: (chain: string) => (chain === chainName ? port : undefined) },
      storage: { put: async () => 'file' },
      rates: { read: async () => ({ usd: world.rates, isAway: () => false }) },
      log: { info: log('info'), warn: log('warn'), error: log('error') },
      now,
      randomBytes: createRandomBytes(world),
    }
    this.deps = deps as unknown as Deps
    this.handlers = {
      ...createOrderHandlers(this.deps),
      'payments.look': () => this.look(),
      'webhooks.send': (data: JobData['webhooks.send']) => world.merchant.receive(data, () => this.request()),
    }
  }

  private async enqueue(tx: Deps['db'], name: string, data: unknown, options: object = {}): Promise<void> {
    const row = { id: this.world.queue.nextId(), name, data, ...options }
    await tx.insert(jobsTable).values(row as never)
  }

  /** Takes the time of one statement of the database. */
  private step(): Promise<void> | undefined {
    return this.pass(this.world.dice.between('statement ms', -5, 4))
  }

  /** Takes the time of one request to a node or another server. */
  private request(): Promise<void> | undefined {
    return this.pass(this.world.dice.between('request ms', -100, 120))
  }

  /** Lets time pass, unless it is so little that nothing else would happen meanwhile. */
  private pass(ms: number): Promise<void> | undefined {
    const { world } = this
    if (this.isAlive && world.dice.fault('a process ends', 0.0008)) world.endProcess(this)
    if (ms > 0) return world.timeline.sleep(ms).then(() => this.assertAlive())
    this.assertAlive()
    return undefined
  }

  private assertAlive(): void {
    if (!this.isAlive) throw new ProcessEndedError(`${this.name} has ended`)
  }

  /** Searches the chain for payments, as the watcher of the service does. */
  async look(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    const { deps, world } = this
    const port = deps.chains.get(chainName)
    try {
      if (!port) throw new Error('there is no chain')
      await lookForPayments(deps, port, watchOptions)
      await expireQuotes(deps, chainName)
      if (world.dice.between('look at hints', 0, 3) === 0) await lookAtHints(deps, port, hintsPerLook)
      if (world.dice.between('give up hints', 0, 7) === 0) await giveUpHints(deps, chainName, hintsPerLook)
      if (world.dice.between('recheck funds', 0, 7) === 0) await recheckFunds(deps, chainName, { limit: 2 })
      // The last looks are few, and stand for the many of the time between.
      if (world.dice.isCalm || world.dice.between('recover', 0, 3) === 0) await recoverCalls(this.outbox)
    } finally {
      this.isLooking = false
    }
  }

  /** Runs the handler of a job. */
  async runJob({ name, data }: Row): Promise<void> {
    const handle = this.handlers[String(name)]
    if (!handle) throw new Error(`The simulation has no handler of ${name}`)
    // It waits for blocks, which this chain makes only while something waits for one.
    if (name === 'orders.returnParts') void this.world.chain.nextBlock()
    await handle(data as never)
  }
}
