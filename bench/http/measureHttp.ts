import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { openPostgres } from '../../service/src/adapters/postgres/openPostgres.js'
import type { OpenDatabase } from '../../service/src/base/db/openedDatabase.js'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { findNode } from '../latency/findNode.mjs'
import { median } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import type { FloorParameters } from './floor.mjs'
import {
  basePath,
  chain,
  collectionId,
  fillShop,
  orderBody,
  orderCount,
  payer,
  post,
  type Requests,
  send,
  startHelper,
} from './orderLoad.js'
import { readCpu } from './readCpu.js'
import type { Answered } from './sendLoad.mjs'

const dataDir = join(stateDir, 'bench/http')
const connections = 64
const rounds = 5
const lastMs = 2_500
const warmUpMs = 1_000

type Operation = { title: string; served: Requests; floor: Requests }
type Measured = Answered & { nodeMs: number; postgresMs: number }

const startFloor = async (parameters: FloorParameters) => {
  const { child, answer } = startHelper('./floor.mjs', parameters)
  return { url: `http://127.0.0.1:${await answer}`, pid: child.pid ?? 0, stop: () => child.disconnect() }
}

/** Finds the server process of a database, whose children serve its connections. */
const findServer = async (database: OpenDatabase): Promise<number> => {
  const { rows } = await database.executeSql('show data_directory')
  const [{ data_directory: folder = '' } = {}] = rows as { data_directory?: string }[]
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
}

const mintBody = {
  recipient: `${chain}:${payer}`,
  metadata: { name: 'Print', image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
  sendNotification: false,
}

/** Adds to requests the tag of what they are answered, so that they are answered that nothing changed. */
const addTags = async (url: string, { requests, ...rest }: Requests): Promise<Requests> => ({
  ...rest,
  status: 304,
  requests: await Promise.all(
    requests.map(async ({ path, headers }) => {
      const answer = await fetch(`${url}${path}`, { headers })
      return { path, headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } }
    }),
  ),
})

/** Waits until the service has minted all tokens, which it does beside the requests. */
const waitForJobs = async (database: OpenDatabase): Promise<void> => {
  const text = "select 1 from nfts where status = 'pending' limit 1"
  while ((await database.watchSql(text)).rows.length) await sleep(250)
}

const listOperations = async (
  running: RunningService,
  paths: readonly string[],
  floorUrl: string,
): Promise<Operation[]> => {
  const headers = { 'x-api-key': running.sandbox.serverKey, 'content-type': 'application/json' }
  const json = { 'content-type': 'application/json' }
  const read: Requests = { method: 'GET', status: 200, requests: paths.map((path) => ({ path, headers })) }
  const insert = (body: object) => post('/rows', body, json, 201)
  const rows = Array.from({ length: orderCount }, async () => {
    const body = JSON.stringify(orderBody)
    const answer = await fetch(`${floorUrl}/rows`, { method: 'POST', headers: json, body })
    return { path: `/rows/${((await answer.json()) as { id: string }).id}`, headers: {} }
  })
  const select: Requests = { method: 'GET', status: 200, requests: await Promise.all(rows) }
  return [
    {
      title: 'create an order',
      served: post(`${basePath}/orders`, orderBody, headers, 201),
      floor: insert(orderBody),
    },
    { title: 'get an order', served: read, floor: select },
    {
      title: 'get an order, unchanged (304)',
      served: await addTags(running.serviceUrl, read),
      floor: await addTags(floorUrl, select),
    },
    {
      title: 'accept a mint',
      served: post(`${basePath}/collections/${collectionId}/nfts`, mintBody, headers, 200),
      floor: insert(mintBody),
    },
  ]
}

type Side = 'served' | 'floor'

/** Measures requests to the service and to the floor, in turns. */
export const measureHttp = async (): Promise<Table[]> => {
  rmSync(dataDir, { recursive: true, force: true })
  const closing: (() => unknown)[] = []
  try {
    const postgres = await startPostgres({ isDurable: true })
    closing.push(postgres.stop)
    const databaseUrl = await postgres.createDatabase()
    const database = await openPostgres(databaseUrl, () => {})
    closing.push(database.close)
    const env = {
      DATABASE_URL: databaseUrl,
      KASSA_CHAINS: chain,
      KASSA_CONFIRMATIONS_BASE_SEPOLIA: '1',
      KASSA_WRITES_PER_MINUTE: '1000000000',
      KASSA_READS_PER_MINUTE: '1000000000',
    }
    const running = await startService({ dataDir, env })
    closing.push(running.stop)
    const nodeUrl = `http://${await findNode(running, dataDir, chain)}`
    const { serviceUrl, sandbox } = running
    const paths = await fillShop({ serviceUrl, serverKey: sandbox.serverKey, nodeUrl })
    const { rows } = await database.executeSql('select document from orders limit 1')
    const [{ document } = {}] = rows as { document?: unknown }[]
    const floor = await startFloor({ databaseUrl: await postgres.createDatabase(), document })
    closing.push(floor.stop)
    const server = await findServer(database)
    const sides = {
      served: { url: running.serviceUrl, pid: running.service.pid },
      floor: { url: floor.url, pid: floor.pid },
    }
    const measure = async (operation: Operation, side: Side, forMs: number): Promise<Measured> => {
      const { url, pid } = sides[side]
      const read = () => ({ node: readCpu(pid), postgres: readCpu(server, true) })
      const before = read()
      const answered = await send({ ...operation[side], url, connections, lastMs: forMs })
      const after = read()
      return {
        ...answered,
        nodeMs: (after.node - before.node) / answered.count,
        postgresMs: (after.postgres - before.postgres) / answered.count,
      }
    }
    const found: { operation: Operation; served: Measured; floor: Measured }[] = []
    for (let round = 0; round <= rounds; round++) {
      // Orders last ten minutes, and a tag no longer than the order stays as it is.
      const operations = await listOperations(running, paths, floor.url)
      for (const operation of operations) {
        const forMs = round ? lastMs : warmUpMs
        const served = await measure(operation, 'served', forMs)
        await waitForJobs(database)
        const bare = await measure(operation, 'floor', forMs)
        if (round) found.push({ operation, served, floor: bare })
      }
      if (round) say(`  ${round} of ${rounds}`)
    }
    const rowsOf = (title: string): string[][] => {
      const each = found.filter(({ operation }) => operation.title === title)
      const rate = (side: Side) => median(each.map(({ [side]: { count, lastedMs } }) => count / lastedMs))
      const of = (side: Side, what: keyof Measured) => median(each.map(({ [side]: one }) => one[what]))
      return (['served', 'floor'] as const).map((side) => [
        side === 'served' ? title : `${title}: the floor`,
        (rate(side) * 1000).toFixed(0),
        of(side, 'p50Ms').toFixed(1),
        of(side, 'p99Ms').toFixed(1),
        of(side, 'nodeMs').toFixed(2),
        of(side, 'postgresMs').toFixed(2),
        side === 'served' ? `${(rate('served') / rate('floor')).toFixed(2)} ×` : '',
        side === 'served' ? `${(of('floor', 'nodeMs') / of('served', 'nodeMs')).toFixed(2)} ×` : '',
      ])
    }
    return [
      {
        title: `Requests on ${connections} connections: ${rounds} rounds, medians`,
        head: [
          '',
          'a second',
          'p50, ms',
          'p99, ms',
          'CPU of Node, ms',
          'CPU of PostgreSQL, ms',
          'rate beside the floor',
          'CPU of Node beside the floor',
        ],
        rows: [...new Set(found.map(({ operation }) => operation.title))].flatMap(rowsOf),
        notes: [
          'The floor is Hono with one schema and one prepared statement: it inserts a row of the size of an order, or selects one by its primary key and passes its text on. It checks no key, counts no request and reads no chain. Both run as processes of their own with 16 connections to the same PostgreSQL server, where each commit waits for the disk.',
          'The service, the chain, PostgreSQL and the sender of the requests share the cores. CPU is that of one request, read from the system. Where the sender bounds the rate of the floor, the CPU says more.',
        ],
      },
    ]
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
