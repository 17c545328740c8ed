import type { Table } from 'drizzle-orm'
import { getTableName } from 'drizzle-orm'
import {
  collections,
  jobs,
  orders,
  projects,
  webhookEndpoints,
} from '../../../service/src/base/db/tables/index.js'
import { createUuid } from '../../../service/src/base/lib/uuid.js'
import { blockMs } from './blockStore.js'
import { Buyer } from './buyer.js'
import { Chain } from './chain.js'
import { Dice } from './dice.js'
import { checkEnd, clearUp, isAtRest } from './endOfWorld.js'
import { Invariants } from './invariants.js'
import { Merchant } from './merchant.js'
import { chainName } from './outbox.js'
import { Queue } from './queue.js'
import { ServiceProcess } from './serviceProcess.js'
import { collectionIds } from './shop.js'
import { completeRow, OpenTransaction, type RowChange, Storage } from './storage.js'
import { Timeline } from './timeline.js'

/** How many purchases one world has. */
export const buyersPerWorld = 4

const startMs = 1_800_000_000_000
const minuteMs = 60_000

/** When faults end, so that everything can come to rest. */
const calmAfterMs = 25 * minuteMs

/** What is waited for, in turn, until the world is at rest. */
const patienceMs = [
  12 * minuteMs,
  20 * minuteMs,
  60 * minuteMs,
  3 * 60 * minuteMs,
  12 * 60 * minuteMs,
  48 * 60 * minuteMs,
]

/** One simulated world: a chain, a database, two processes of the service, a merchant and a few buyers. */
export class World {
  readonly timeline = new Timeline(startMs)
  readonly dice: Dice
  readonly storage: Storage
  readonly chain: Chain
  readonly queue: Queue
  readonly merchant: Merchant
  readonly invariants: Invariants
  readonly buyers: Buyer[] = []
  /** The project of all orders. It differs between worlds, which share the mutexes of the service's modules. */
  readonly projectId: string
  /** What happened, in order; kept only when it is asked for. */
  readonly trace: string[] | undefined
  /** How exact the clock of the service is. On whole seconds, the end of a quote may be the time of a block. */
  readonly tickMs: number
  rates: Record<string, string> = { eth: '2000', usdc: '1', usd: '1' }
  private processes: ServiceProcess[] = []
  private readonly lags = new Map<string, number>()
  private looking = 0
  private isEnded = false

  constructor(options: { seed: string; leftOut?: ReadonlySet<string>; isTracing?: boolean }) {
    const { seed, leftOut, isTracing } = options
    this.dice = new Dice(seed, leftOut)
    this.projectId = createUuid((length) =>
      Uint8Array.from({ length }, () => this.dice.between('project', 0, 255)),
    )
    this.trace = isTracing ? [] : undefined
    this.tickMs = this.dice.pick('tick', [1, 1_000])
    this.storage = new Storage((changes) => this.onCommit(changes))
    this.chain = new Chain(
      this.timeline,
      this.dice,
      (text) => this.note(text),
      () => this.onBlock(),
    )
    this.queue = new Queue(this)
    this.merchant = new Merchant(this)
    this.invariants = new Invariants(this)
    this.fillDatabase()
    this.processes = ['process 1', 'process 2'].map((name) => new ServiceProcess(name, this))
    for (let number = 1; number <= buyersPerWorld; number++) {
      if (this.dice.fault('a buyer comes', 1)) this.buyers.push(new Buyer(number, this))
    }
  }

  note(text: () => string): void {
    if (this.isEnded) return
    this.trace?.push(`${((this.timeline.nowMs - startMs) / 1000).toFixed(3)} s  ${text()}`)
  }

  private fillDatabase(): void {
    const { projectId } = this
    const transaction = new OpenTransaction()
    const presets = { nowMs: startMs, nextNumber: () => this.storage.nextNumber() }
    const insert = (table: Table, given: object): void => {
      this.storage.write(transaction, table, completeRow(table, given as Record<string, unknown>, presets))
    }
    insert(projects, { id: projectId, name: 'shop' })
    const isDeployed = this.dice.between('deployed', 0, 1) === 1
    for (const id of collectionIds) {
      const supplyLimit = id === 'plenty' ? null : this.dice.between('supply', 2, 7)
      insert(collections, {
        projectId,
        id,
        chain: chainName,
        name: id,
        description: '',
        imageUrl: '',
        symbol: 'TOKEN',
        fungibility: 'non-fungible',
        isTransferable: true,
        supplyLimit,
        price: id === 'gift' ? '0' : '12.5',
        priceCurrency: 'usdc',
        paymentRecipient: id === 'plenty' ? '0xartist' : null,
        nextTokenId: 1n,
        contractUri: 'ipfs://file',
        contractTxId: isDeployed ? 'deployed' : null,
      })
      const key = `collection:${projectId}:${id}`
      const contract = { supplyLimit: supplyLimit ?? 0, count: 0, txId: 'deployed' }
      if (isDeployed) this.chain.contracts.collections.set(key, contract)
    }
    if (this.dice.between('webhooks', 0, 1) === 1) {
      const eventTypes = ['orders.payment.succeeded', 'orders.delivery.completed']
      insert(webhookEndpoints, { id: '22222222-2222-4222-8222-222222222222', projectId, url: '', eventTypes })
    }
    this.storage.commit(transaction)
  }

  private onCommit(changes: RowChange[]): void {
    for (const { table, before, after } of changes) {
      if (table === getTableName(jobs) && !before) this.queue.plan(after)
    }
    this.invariants?.onCommit(changes)
    for (const { table, before, after } of changes) {
      if (table === getTableName(orders)) this.merchant.see(before, after)
    }
  }

  private onBlock(): void {
    if (this.dice.fault('rates change', 0.05)) {
      this.rates = { ...this.rates, eth: String(this.dice.between('rate', 1_500, 2_500)) }
    }
    for (const { name } of this.processes) {
      this.lags.set(name, this.dice.fault('a node is behind', 0.05) ? this.dice.between('lag', 1, 3) : 0)
      if (this.dice.between('looks', 0, 5) === 0) this.planLook(this.dice.between('look ms', 0, blockMs))
    }
  }

  lagOf(name: string): number {
    return this.lags.get(name) ?? 0
  }

  private planLook(afterMs: number): void {
    this.timeline.after(afterMs, () => {
      this.looking += 1
      const process = this.findProcess()
      const look = process?.look() ?? Promise.resolve()
      look
        .catch((error) => this.invariants.onFailure('the search for payments', error))
        .finally(() => {
          this.looking -= 1
        })
    })
  }

  /** Returns one of the processes that run. */
  findProcess(): ServiceProcess | undefined {
    const alive = this.processes.filter(({ isAlive }) => isAlive)
    return alive.length ? this.dice.pick('process', alive) : undefined
  }

  /** Ends a process at once, as `kill -9` does. Another one starts in its place. */
  endProcess(process: ServiceProcess): void {
    process.isAlive = false
    for (const transaction of process.open) this.storage.release(transaction)
    this.note(() => `${process.name} ends`)
    this.timeline.after(this.dice.between('restart ms', 1_000, 20_000), () => {
      this.processes = this.processes.map((one) =>
        one === process ? new ServiceProcess(one.name, this) : one,
      )
      this.note(() => `${process.name} starts again`)
    })
  }

  /** Whether nothing is going on any more. What waits for a person or for lower fees is at rest. */
  private isQuiet(): boolean {
    const isIdle =
      this.queue.running === 0 &&
      this.looking === 0 &&
      !this.merchant.isActive &&
      !this.buyers.some((buyer) => buyer.isActive)
    return isIdle && isAtRest(this)
  }

  /** Begins the last searches for payments, which find also those that came late. */
  private planLastLooks(): void {
    for (const afterMs of [1_000, 11 * minuteMs]) this.planLook(afterMs)
  }

  /** Runs the world until it is at rest, or something happened that never may. */
  async run(): Promise<void> {
    await this.live()
    if (!this.isQuiet()) await this.endAll()
  }

  /** Ends what still runs, because it may have mutexes that the next run of this world waits for. */
  private async endAll(): Promise<void> {
    this.dice.isCalm = true
    for (const process of this.processes) {
      process.isAlive = false
      for (const transaction of process.open) this.storage.release(transaction)
    }
    this.isEnded = true
    await this.timeline.run(this.timeline.nowMs + 2 * minuteMs, () => false)
  }

  private async live(): Promise<void> {
    const isOver = () => this.invariants.violation !== undefined
    for (const buyer of this.buyers) buyer.start()
    await this.timeline.run(startMs + calmAfterMs, isOver)
    this.dice.isCalm = true
    let hasBeenQuiet = false
    for (const [round, roundMs] of patienceMs.entries()) {
      if (round === 1) void clearUp(this)
      this.planLastLooks()
      await this.timeline.run(this.timeline.nowMs + roundMs, isOver)
      if (isOver()) return
      // What was quiet before the last searches and is after them has nothing more to find.
      if (hasBeenQuiet && this.isQuiet()) break
      hasBeenQuiet = round > 0 && this.isQuiet()
    }
    await checkEnd(this)
  }
}
