import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, getOrder } from 'kassa/api'
import pg from 'pg'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { findNode } from '../latency/findNode.mjs'
import { chain, createBuyer, createDrop, openNode, orderOne, signPayment } from '../lib/buyers.js'
import type { Table } from '../report/table.mjs'
import { readMetrics } from './readMetrics.js'

const dataDir = join(stateDir, 'bench/soak')
const minutes = Number(process.env.MINUTES ?? 60)
const purchasesPerSecond = Number(process.env.PURCHASES ?? 4)
/** How many parts of the time the table shows. */
const parts = 12
const blockSeconds = 2
const patienceMs = 60_000

type Period = { created: number; failed: number; readsMs: number[] }

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Sells at a steady rate on a chain with blocks of two seconds and five confirmations. */
export const measureSoak = async (): Promise<Table[]> => {
  rmSync(dataDir, { recursive: true, force: true })
  const postgres = await startPostgres()
  const closing: (() => unknown)[] = [postgres.stop]
  try {
    const databaseUrl = await postgres.createDatabase()
    const metricsPort = await findPort(4_900)
    const running = await startService({
      dataDir,
      env: {
        DATABASE_URL: databaseUrl,
        KASSA_CHAINS: chain,
        KASSA_CONFIRMATIONS_BASE_SEPOLIA: '5',
        KASSA_METRICS_PORT: String(metricsPort),
        KASSA_WRITES_PER_MINUTE: '1000000000',
        KASSA_READS_PER_MINUTE: '1000000000',
      },
    })
    closing.push(running.stop)
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    closing.push(() => database.end())
    const client = createClient({
      baseUrl: `${running.serviceUrl}/api`,
      apiKey: running.sandbox.serverKey,
    })
    const node = openNode(`http://${await findNode(running, dataDir, chain)}`)
    await node.setAutomine(false)
    await node.setIntervalMining({ interval: blockSeconds })
    await createDrop(client, 1_000_000)

    const buying = new Set<Promise<void>>()
    const orderIds: string[] = []
    let period: Period = { created: 0, failed: 0, readsMs: [] }
    const buy = async (): Promise<void> => {
      const account = await createBuyer(node)
      const order = await orderOne(client, account)
      orderIds.push(order.orderId)
      await node.sendRawTransaction({ serializedTransaction: await signPayment(node, account, order) })
      period.created++
    }
    /** Buys, and reads an order of a moment ago as its page does. */
    const visit = async (): Promise<void> => {
      try {
        await buy()
        const orderId = orderIds[Math.max(0, orderIds.length - 30)] as string
        const askedAt = performance.now()
        await getOrder(client, { orderId })
        period.readsMs.push(performance.now() - askedAt)
      } catch (error) {
        period.failed++
        say(`    failed: ${String(error).split('\n', 1)[0]}`)
      }
    }
    const rows: string[][] = []
    const partMs = (minutes * 60_000) / parts
    const startedAt = performance.now()
    let [visits, cpuSeconds] = [0, (await readMetrics(metricsPort)).cpuSeconds]
    for (let part = 1; part <= parts; part++) {
      period = { created: 0, failed: 0, readsMs: [] }
      while (performance.now() - startedAt < part * partMs) {
        const due = Math.floor(((performance.now() - startedAt) / 1000) * purchasesPerSecond)
        for (; visits < due; visits++) {
          const visiting = visit().finally(() => buying.delete(visiting))
          buying.add(visiting)
        }
        await sleep(50)
      }
      const read = await readMetrics(metricsPort)
      const readsMs = period.readsMs.toSorted((one, other) => one - other)
      rows.push([
        `${Math.round((part * partMs) / 60_000)} min`,
        String(period.created),
        String(period.failed),
        at(readsMs, 0.5).toFixed(0),
        at(readsMs, 0.99).toFixed(0),
        (read.residentBytes / 2 ** 20).toFixed(0),
        (read.heapBytes / 2 ** 20).toFixed(0),
        `${((100 * (read.cpuSeconds - cpuSeconds)) / (partMs / 1000)).toFixed(0)} %`,
        (read.loopDelaySeconds * 1000).toFixed(0),
        read.oldestJobSeconds.toFixed(1),
        String(read.lagBlocks),
      ])
      cpuSeconds = read.cpuSeconds
      say(`  ${rows.at(-1)?.join('  ')}`)
    }
    await Promise.all(buying)
    const count = async (phase: string): Promise<number> => {
      const { rows: found } = await database.query(`select count(*)::int as count from orders where ${phase}`)
      return found[0].count
    }
    const end = performance.now() + patienceMs
    while ((await count("phase = 'completed'")) < orderIds.length && performance.now() < end) await sleep(500)
    const [completed, failed] = [await count("phase = 'completed'"), await count("phase = 'failed'")]
    return [
      {
        title: `${minutes} minutes of ${purchasesPerSecond} purchases a second`,
        head: [
          'until',
          'bought',
          'failed requests',
          'read p50, ms',
          'read p99, ms',
          'resident, MiB',
          'heap, MiB',
          'CPU',
          'event loop p99, ms',
          'oldest job, s',
          'blocks behind',
        ],
        rows,
        notes: [
          `Blocks of ${blockSeconds} s, 5 confirmations, PostgreSQL. Of ${orderIds.length} orders, ${completed} were completed ${Math.round(patienceMs / 1000)} s after the last payment at the latest, and ${failed} failed.`,
          'The figures of the process are its own metrics at the end of each part. A heap is read as it is, not after a collection.',
        ],
      },
    ]
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
