import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, getOrder } from 'kassa/api'
import pg from 'pg'
import type { PrivateKeyAccount } from 'viem/accounts'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { findNode } from '../latency/findNode.mjs'
import { chain, createBuyer, createDrop, inParallel, openNode, orderOne, signPayment } from '../lib/buyers.js'
import { median } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'

const dataDir = join(stateDir, 'bench/sale')
const connections = 16
const patienceMs = 15 * 60_000
const loneOrders = 20

/** A sale, and the chain that it is on. Without a pace, the chain mines on demand. */
type Sale = { title: string; buyers: number; paceSeconds?: number; confirmations: number }
type Sold = {
  createMs: number
  payMs: number
  endMs: number[]
  failures: number
  transactions: number
  /** Times of lone orders, on a chain without a pace. */
  loneMs: number[]
}

const sales: Sale[] = [
  { title: 'blocks of 2 s, 5 confirmations', buyers: 500, paceSeconds: 2, confirmations: 5 },
  { title: 'blocks on demand, 1 confirmation', buyers: 1_000, confirmations: 1 },
]

/** Counts the orders of a service in its database: its metrics are up to five seconds old. */
const countCompleted = async (database: pg.Client): Promise<number> => {
  const { rows } = await database.query("select count(*)::int as count from orders where phase = 'completed'")
  return rows[0].count
}

/** How long lone orders take from the block of their payment to their end, one after the other. */
const timeLoneOrders = async (
  database: pg.Client,
  buyOne: () => Promise<{ orderId: string; pay: () => Promise<void> }>,
): Promise<number[]> => {
  const times: number[] = []
  for (let count = 0; count < loneOrders; count++) {
    const { orderId, pay } = await buyOne()
    // Until the service is at rest: a search that the last order's block began holds up no other.
    await sleep(1_500)
    await pay()
    const paidAt = performance.now()
    const text = "select 1 from orders where id = $1 and phase = 'completed'"
    while (!(await database.query(text, [orderId])).rows.length) await sleep(2)
    times.push(performance.now() - paidAt)
  }
  return times
}

const sell = async (
  running: RunningService,
  { buyers, paceSeconds }: Sale,
  database: pg.Client,
): Promise<Sold> => {
  const client = createClient({
    baseUrl: `${running.serviceUrl}/api`,
    apiKey: running.sandbox.serverKey,
    timeoutMs: 120_000,
  })
  const node = openNode(`http://${await findNode(running, dataDir, chain)}`)
  if (paceSeconds !== undefined) {
    await node.setAutomine(false)
    await node.setIntervalMining({ interval: paceSeconds })
  }
  await createDrop(client, 10_000)
  const accounts = await inParallel(Array.from({ length: buyers }), connections, () => createBuyer(node))
  const buy = async (account: PrivateKeyAccount) => ({ account, order: await orderOne(client, account) })
  const startedAt = performance.now()
  const orders = await inParallel(accounts, connections, buy)
  const createMs = performance.now() - startedAt
  const signed = await inParallel(orders, connections, ({ account, order }) =>
    signPayment(node, account, order),
  )
  const paidAt = performance.now()
  await inParallel(signed, connections, (serializedTransaction) =>
    node.sendRawTransaction({ serializedTransaction }),
  )
  const payMs = performance.now() - paidAt
  const endMs: number[] = []
  let saidSecond = 0
  while (endMs.length < buyers) {
    const completed = await countCompleted(database)
    const elapsedMs = performance.now() - paidAt
    while (endMs.length < completed) endMs.push(elapsedMs)
    if (elapsedMs > patienceMs) throw new Error(`${completed} of ${buyers} orders were completed in time.`)
    const second = Math.round(elapsedMs / 1000)
    if (second >= saidSecond + 2) say(`    ${completed} after ${second} s`)
    if (second >= saidSecond + 2) saidSecond = second
    await sleep(250)
  }
  const txIds = await inParallel(orders, connections, async ({ order: { orderId } }) => {
    const { lineItems } = await getOrder(client, { orderId })
    return lineItems[0]?.delivery.txId
  })
  const buyOne = async () => {
    const { account, order } = await buy(await createBuyer(node))
    const serializedTransaction = await signPayment(node, account, order)
    const pay = async () => void (await node.sendRawTransaction({ serializedTransaction }))
    return { orderId: order.orderId, pay }
  }
  const loneMs = paceSeconds === undefined ? await timeLoneOrders(database, buyOne) : []
  const log = readFileSync(join(dataDir, 'logs/service.log'), 'utf8')
  return {
    createMs,
    payMs,
    endMs,
    loneMs,
    transactions: new Set(txIds).size,
    failures: log.split('job failed').length - 1,
  }
}

const measure = async (sale: Sale, databaseUrl: string): Promise<Sold> => {
  rmSync(dataDir, { recursive: true, force: true })
  const env = {
    DATABASE_URL: databaseUrl,
    KASSA_CHAINS: chain,
    KASSA_CONFIRMATIONS_BASE_SEPOLIA: String(sale.confirmations),
    KASSA_WRITES_PER_MINUTE: '1000000000',
    KASSA_READS_PER_MINUTE: '1000000000',
  }
  const running = await startService({ dataDir, env })
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  return sell(running, sale, database).finally(async () => {
    await database.end()
    await running.stop()
  })
}

/** Measures one sale after the other, each on a new service and chain. */
export const measureSale = async (): Promise<Table[]> => {
  const rows: string[][] = []
  let lone: number[] = []
  const postgres = await startPostgres({ isDurable: true })
  try {
    for (const sale of sales) {
      say(`  ${sale.buyers} buyers, ${sale.title}`)
      const { createMs, payMs, endMs, loneMs, failures, transactions } = await measure(
        sale,
        await postgres.createDatabase(),
      )
      if (loneMs.length) lone = loneMs
      const lastMs = endMs.at(-1) ?? Number.NaN
      rows.push([
        `${sale.buyers} buyers, ${sale.title}`,
        ((sale.buyers * 1000) / createMs).toFixed(0),
        (payMs / 1000).toFixed(1),
        (median(endMs) / 1000).toFixed(1),
        (lastMs / 1000).toFixed(1),
        ((sale.buyers * 1000) / lastMs).toFixed(1),
        (sale.buyers / transactions).toFixed(1),
        String(failures),
      ])
    }
  } finally {
    await postgres.stop()
  }
  return [
    {
      title: 'A sale: everybody pays at once',
      head: [
        '',
        'created a second',
        'all paid, s',
        'median done, s',
        'last done, s',
        'done a second',
        'orders a transaction',
        'failed jobs',
      ],
      rows,
      notes: [
        'The service runs as a process of its own on PostgreSQL, where each commit waits for the disk, with its chain on the same machine. Times start when the first payment is sent. A failed job is tried again.',
        `After the sale on blocks on demand, a lone order took ${median(lone).toFixed(0)} ms from the block of its payment to \`completed\`: median of ${lone.length}, at most ${Math.max(...lone).toFixed(0)} ms.`,
        'On blocks of 2 s, a payment has its 5 confirmations after 8 to 10 s, and a mint needs another block: no buyer can have a token before about 12 s.',
      ],
    },
  ]
}
