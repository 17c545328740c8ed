import { setTimeout as sleep } from 'node:timers/promises'
import { CreateOrderBody } from 'kassa/schema'
import * as z from 'zod/mini'
import { say } from '../../scripts/lib/steps.mjs'
import { createJobs } from '../../service/src/adapters/jobs/createJobs.js'
import { openDatabase } from '../../service/src/adapters/postgres/openDatabase.js'
import type { OpenDatabase } from '../../service/src/base/db/openedDatabase.js'
import { readCounts } from '../../service/src/entry/metrics/readCounts.js'
import { listNfts } from '../../service/src/goods/nfts/findNft.js'
import { readTotals, tidyTotals } from '../../service/src/sale/ledger/totals.js'
import { createOrder } from '../../service/src/sale/orders/createOrder.js'
import { getSummary } from '../../service/src/sale/orders/getSummary.js'
import { getTimeline } from '../../service/src/sale/orders/getTimeline.js'
import { getOrder, listOrders, type OrderFilters } from '../../service/src/sale/orders/readOrders.js'
import { listDifferingCounts } from '../../service/src/sale/orders/recountReserved.js'
import { expireQuotes } from '../../service/src/sale/payments/expireQuotes.js'
import { lookAtHints } from '../../service/src/sale/payments/lookAtHints.js'
import { lookForPayments } from '../../service/src/sale/payments/lookForPayments.js'
import { recheckFunds } from '../../service/src/sale/payments/recheckFunds.js'
import { defaultWatchOptions } from '../../service/src/sale/payments/watchPayments.js'
import { createFakeChain } from '../../service/test/helpers/createFakeChain.js'
import { createOrderWorld } from '../../service/test/helpers/createOrderWorld.js'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { median, ratio } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import { fillDatabase } from './fillDatabase.js'

const smallCount = 10_000
const largeCount = 1_000_000
const rounds = 40
const perPage = 50
/** Rows that a sequential scan may read of a table before the table says so: those of small tables. */
const fewRows = 2_000
const payerAddress = '0x00000000000000000000000000000000000000aa'
const recipient = { walletAddress: '0x00000000000000000000000000000000000000bb' }

type Operation = { name: string; run(): Promise<unknown> }

/** Opens the operations of the service on a filled database. The chain answers at once, so that the database is measured. */
const openOperations = async (database: OpenDatabase, projectId: string): Promise<Operation[]> => {
  const { db } = database
  const chain = createFakeChain({ now: Date.now })
  chain.mine(5)
  const world = await createOrderWorld({ db, chains: [chain.port], now: Date.now })
  const deps = { ...world.deps, jobs: createJobs(database, world.deps.log) }
  const call = { ...world.serverCall, actor: { ...world.serverCall.actor, projectId } }
  const create = (collectionId: string) =>
    createOrder(
      deps,
      call,
      z.parse(CreateOrderBody, {
        recipient,
        payment: { method: 'base-sepolia', currency: 'eth', payerAddress },
        lineItems: { collectionLocator: `kassa:${collectionId}` },
      }),
    )
  const pageOf = async (offset: number) => {
    const { rows } = await database.executeSql(
      'select id, created_at from orders where project_id = $1 order by created_at desc, id desc offset $2 limit 1',
      [projectId, offset],
    )
    const [row] = rows as { id: string; created_at: Date }[]
    return Buffer.from(`older:${row?.created_at.getTime()}:${row?.id}`).toString('base64url')
  }
  const [count] = (await database.executeSql('select count(*)::int as orders from orders')).rows as {
    orders: number
  }[]
  const orders = count?.orders ?? 0
  const deep = await pageOf(orders - 200)
  const nfts = { collectionId: 'shop', perPage }
  const deepNfts = { ...nfts, page: Math.floor((orders * 0.65) / perPage) }
  const first = (await create('shop')).order
  const [sample] = (await database.executeSql('select order_id, tx_id from payments limit 1')).rows as {
    order_id: string
    tx_id: string
  }[]
  const dayAgo = new Date(Date.now() - 86_400_000)
  const monthAgo = new Date(Date.now() - 30 * 86_400_000)
  const find = (filters: OrderFilters) => listOrders(deps, call, { limit: perPage, ...filters })
  const look = { ...defaultWatchOptions, lateEveryMs: Number.POSITIVE_INFINITY }
  return [
    { name: 'create an order', run: () => create('shop') },
    { name: 'create an order, supply limit', run: () => create('limited') },
    { name: 'get an order', run: () => getOrder(deps, call, { orderId: first.orderId }) },
    { name: 'list orders, first page', run: () => listOrders(deps, call, { limit: perPage }) },
    { name: 'list orders, last page', run: () => listOrders(deps, call, { limit: perPage, cursor: deep }) },
    { name: 'find orders, by transaction', run: () => find({ search: sample?.tx_id ?? '' }) },
    { name: 'find orders, by wallet of most', run: () => find({ search: payerAddress }) },
    { name: 'find orders, by phase', run: () => find({ phase: 'delivery' }) },
    { name: 'get a timeline', run: () => getTimeline(deps, call, { orderId: sample?.order_id ?? '' }) },
    { name: 'sum up a day', run: () => getSummary(deps, call, { since: dayAgo }) },
    { name: 'sum up 30 days', run: () => getSummary(deps, call, { since: monthAgo }) },
    { name: 'list tokens, first page', run: () => listNfts(deps, call, { ...nfts, page: 1 }) },
    { name: 'list tokens, page 100', run: () => listNfts(deps, call, { ...nfts, page: 100 }) },
    { name: 'list tokens, last page', run: () => listNfts(deps, call, deepNfts) },
    { name: 'look for expired quotes', run: () => expireQuotes(deps, 'base-sepolia') },
    { name: 'look for payments', run: () => lookForPayments(deps, chain.port, look) },
    {
      name: 'look for payments, first of a process',
      // A port that is not known yet.
      run: () => lookForPayments(deps, { ...chain.port, isLocal: false }, look),
    },
    { name: 'look at reported transactions', run: () => lookAtHints(deps, chain.port, 20) },
    { name: "check payers' funds", run: () => recheckFunds(deps, 'base-sepolia', { limit: 50 }) },
    { name: 'read the totals of the ledger', run: () => readTotals(db) },
    { name: 'count for the metrics', run: () => readCounts((text) => database.executeSql(text)) },
    { name: 'count reserved tokens in full', run: () => listDifferingCounts(db) },
  ]
}

/** Reads how many rows sequential scans have read of each large table. */
const readScans = async (database: OpenDatabase): Promise<Map<string, number>> => {
  // Sessions report what they have done within a second of it.
  await sleep(1_200)
  const { rows } = await database.executeSql(
    `select relname, seq_tup_read::float8 as count from pg_stat_user_tables where n_live_tup > ${fewRows}`,
  )
  return new Map((rows as { relname: string; count: number }[]).map((row) => [row.relname, row.count]))
}

const timeOf = async ({ run }: Operation): Promise<number> => {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

const formatMs = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 0)

/** Brings the totals of the ledger into being, and returns how long that took. */
const countLedger = async ({ db }: OpenDatabase): Promise<number> => {
  const startedAt = performance.now()
  await tidyTotals(db, { info: () => {} }, Date.now())
  return performance.now() - startedAt
}

/** Measures the operations on two filled databases in turn. */
const measure = async (small: OpenDatabase, large: OpenDatabase): Promise<Table> => {
  const projectOf = async (database: OpenDatabase): Promise<string> => {
    const { rows } = await database.executeSql("select project_id from collections where id = 'shop' limit 1")
    return (rows as { project_id: string }[])[0]?.project_id ?? ''
  }
  const ofSmall = await openOperations(small, await projectOf(small))
  const ofLarge = await openOperations(large, await projectOf(large))
  const countMs = await countLedger(large)
  await countLedger(small)
  const rows: string[][] = []
  for (const [index, operation] of ofSmall.entries()) {
    const other = ofLarge[index]
    if (!other) continue
    const times: { small: number[]; large: number[] } = { small: [], large: [] }
    // The first run of each fills caches and prepares plans.
    await timeOf(operation)
    const before = await readScans(large)
    const once = await timeOf(other)
    const after = await readScans(large)
    const scanned = [...after]
      .filter(([table, count]) => count > (before.get(table) ?? 0))
      .map(([table]) => table)
    const count = once > 1_000 ? 5 : rounds
    for (let round = 0; round < count; round++) {
      times.small.push(await timeOf(operation))
      times.large.push(await timeOf(other))
    }
    const [few, many] = [median(times.small), median(times.large)]
    rows.push([operation.name, formatMs(few), formatMs(many), ratio(many, few), scanned.join(', ') || 'none'])
    say(`    ${rows.at(-1)?.join('  ')}`)
  }
  return {
    title: 'Operations by the number of orders',
    head: ['', '10,000 orders, ms', '1,000,000 orders, ms', 'ratio', 'read in full'],
    rows,
    notes: [
      'Medians of runs that alternate between the two databases, in one process beside PostgreSQL 15. The chain answers at once.',
      `The full count of the ledger took ${Math.round(countMs / 1000)} s on the larger database, beside the service's work.`,
      'The interface numbers the pages of tokens. A page is found by the counts of hours, and within its hour by counting index entries. The metrics read counts that triggers keep.',
      'Both have 82,000 orders in 30 days. The smaller one has the last 10,000 of them.',
    ],
  }
}

/** Compares what the operations of the service take on two filled databases. */
export const compareDatabases = async (smallUrl: string, largeUrl: string): Promise<Table[]> => {
  const small = await openDatabase({ databaseUrl: smallUrl, dataDir: '', isMigrating: true }, () => {})
  const large = await openDatabase({ databaseUrl: largeUrl, dataDir: '', isMigrating: true }, () => {})
  try {
    return [await measure(small, large)]
  } finally {
    await small.close()
    await large.close()
  }
}

/** Fills two databases on a new server, and compares what the operations of the service take on them. */
export const measureFlat = async (): Promise<Table[]> => {
  const server = await startPostgres()
  try {
    const [small, large] = [await server.createDatabase(), await server.createDatabase()]
    await fillDatabase(small, smallCount, say)
    await fillDatabase(large, largeCount, say)
    return await compareDatabases(small, large)
  } finally {
    await server.stop()
  }
}
