import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'kassa/api'
import pg from 'pg'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { startCountingNode } from '../../service/test/helpers/startCountingNode.js'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { createBuyer, createDrop, inParallel, openNode, orderOne, signPayment } from '../lib/buyers.js'
import { startProcesses } from '../lib/startProcesses.js'
import { median } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'

const dataDir = join(stateDir, 'bench/node')
/** How long each request to the node takes on its way. */
const delays = [0, 50]
/** Orders that wait for their money meanwhile, and are paid in the end. */
const openOrders = 60
const payments = 20

/** How long payments take from their block to the service's record of them, one after the other. @units ms */
const timePayments = async (delayMs: number, databaseUrl: string): Promise<number[]> => {
  rmSync(dataDir, { recursive: true, force: true })
  const closing: (() => unknown)[] = []
  try {
    const processes = await startProcesses(dataDir, 1, async (nodeUrl) => {
      const relay = await startCountingNode(nodeUrl)
      closing.push(relay.close)
      relay.faults.delayMs = delayMs
      return { DATABASE_URL: databaseUrl, KASSA_RPC_BASE_SEPOLIA: relay.url }
    })
    closing.push(processes.stop)
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    closing.push(() => database.end())
    const [url = ''] = processes.urls
    const client = createClient({ baseUrl: `${url}/api`, apiKey: processes.serverKey, timeoutMs: 120_000 })
    const node = openNode(processes.nodeUrl)
    await createDrop(client, 1_000)
    const bought = await inParallel(Array.from({ length: openOrders + payments }), 8, async () => {
      const account = await createBuyer(node)
      const order = await orderOne(client, account)
      return { orderId: order.orderId, signed: await signPayment(node, account, order) }
    })
    const times: number[] = []
    for (const { orderId, signed } of bought.slice(0, payments)) {
      await sleep(1_000)
      await node.sendRawTransaction({ serializedTransaction: signed })
      // The node mines on demand: the block is there.
      const minedAt = performance.now()
      const text = 'select 1 from payments where order_id = $1'
      while (!(await database.query(text, [orderId])).rows.length) await sleep(2)
      times.push(performance.now() - minedAt)
    }
    return times
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** Measures how the way to the node delays what the service sees. */
export const measureNode = async (): Promise<Table> => {
  const postgres = await startPostgres({ isDurable: true })
  try {
    const found: { delayMs: number; times: number[] }[] = []
    for (const delayMs of delays) {
      say(`  a node ${delayMs} ms away`)
      found.push({ delayMs, times: await timePayments(delayMs, await postgres.createDatabase()) })
    }
    const local = median(found[0]?.times ?? [])
    return {
      title: `From the block of a payment to the service's record of it: ${payments} payments beside ${openOrders} open orders`,
      head: ['', 'median, ms', 'worst, ms', 'round trips more than locally'],
      rows: found.map(({ delayMs, times }) => [
        delayMs ? `a node ${delayMs} ms away` : 'a node on the same machine',
        median(times).toFixed(0),
        Math.max(...times).toFixed(0),
        delayMs ? ((median(times) - local) / delayMs).toFixed(1) : '',
      ]),
      notes: [
        'Each request to the node waits so long before it is passed on. The node announces its blocks over a connection that is not delayed, and mines on demand.',
      ],
    }
  } finally {
    await postgres.stop()
  }
}
