import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, getCollection } from 'kassa/api'
import pg from 'pg'
import { type Address, erc721Abi, zeroAddress } from 'viem'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import {
  collectionId,
  createBuyer,
  createDrop,
  inParallel,
  openNode,
  orderOne,
  signPayment,
} from '../lib/buyers.js'
import { type Processes, startProcesses } from '../lib/startProcesses.js'
import type { Table } from '../report/table.mjs'
import { type Cluster, startCluster } from './startCluster.js'

const dataDir = join(stateDir, 'bench/failover')
const processes = 3
const buyers = Number(process.env.BUYERS ?? 1_000)
const connections = 16
/** How long an operator, or a manager of the cluster, needs to notice. */
const noticeMs = 2_000
const patienceMs = 15 * 60_000

const again = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= 60) throw error
      await sleep(500)
    }
  }
}

/** Opens a connection for each count, because the server that answers may be killed. */
const count = async (cluster: Cluster, text: string): Promise<number> => {
  const client = new pg.Client({ connectionString: cluster.primaryUrl(), connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`select count(*)::int as count from ${text}`)
    return rows[0].count
  } finally {
    await client.end().catch(() => {})
  }
}

const sell = async (cluster: Cluster, { urls, serverKey, nodeUrl }: Processes) => {
  const node = openNode(nodeUrl)
  const clients = urls.map((baseUrl) =>
    createClient({ baseUrl: `${baseUrl}/api`, apiKey: serverKey, timeoutMs: 60_000 }),
  )
  const clientFor = (index: number) => clients[index % clients.length] as (typeof clients)[number]
  await createDrop(clientFor(0), buyers)
  let paid = 0
  const buying = inParallel(Array.from({ length: buyers }), connections, async (_, index) => {
    const account = await createBuyer(node)
    const order = await again(() => orderOne(clientFor(index), account))
    await node.sendRawTransaction({ serializedTransaction: await signPayment(node, account, order) })
    paid++
  })
  const completed = (): Promise<number> =>
    count(cluster, `orders where phase = 'completed'`).catch(() => Number.NaN)
  while (!((await completed()) >= buyers / 4)) await sleep(200)
  const atKill = { completed: await completed(), paid }
  say(`  the primary is killed: ${atKill.paid} have paid, ${atKill.completed} orders are completed`)
  cluster.killPrimary()
  const killedAt = performance.now()
  await sleep(noticeMs)
  await cluster.promote()
  const promotedAt = performance.now()
  const before = await again(completed)
  while (!((await completed()) > before)) await sleep(50)
  const recoveryMs = performance.now() - promotedAt
  say(`  the next order is completed ${Math.round(performance.now() - killedAt)} ms after the kill`)
  await buying
  const endAt = performance.now() + patienceMs
  while (!((await completed()) >= buyers) && performance.now() < endAt) await sleep(250)
  const { onChain } = await again(() => getCollection(clientFor(0), { collectionId }))
  const address = (onChain as { contractAddress?: string } | undefined)?.contractAddress as Address
  const logs = await node.getContractEvents({
    abi: erc721Abi,
    address,
    eventName: 'Transfer',
    args: { from: zeroAddress },
    fromBlock: 0n,
    toBlock: 'latest',
  })
  return { completed: await again(completed), minted: logs.length, recoveryMs, atKill }
}

/** Kills the primary database while three processes of the service sell, and reads what was lost. */
export const measureFailover = async (): Promise<Table[]> => {
  rmSync(dataDir, { recursive: true, force: true })
  const cluster = await startCluster()
  let service: Processes | undefined
  try {
    service = await startProcesses(dataDir, processes, {
      DATABASE_URL: cluster.url,
      DATABASE_DIRECT_URL: cluster.directUrl,
    })
    say(`  ${processes} processes are up, for ${buyers} buyers`)
    const { completed, minted, recoveryMs, atKill } = await sell(cluster, service)
    const ended = service.children.filter((child) => child.hasExited()).length
    return [
      {
        title: 'The primary database is killed during a sale',
        head: [
          '',
          'completed at the kill',
          'completed in the end',
          'tokens minted',
          'recovery after promotion, s',
          'processes that ended',
        ],
        rows: [
          [
            `${buyers} buyers, ${processes} processes`,
            ...[atKill.completed, completed, minted].map(String),
            (recoveryMs / 1000).toFixed(1),
            String(ended),
          ],
        ],
        notes: [
          `PgBouncer gives a connection to each transaction. The primary commits once its standby has the data, and is killed with SIGKILL. The standby is promoted ${noticeMs / 1000} s later. Recovery ends when the next order is completed.`,
          'Every buyer pays once. An order lost would be missing from the completed ones, and a token minted twice would be one more than the buyers.',
        ],
      },
    ]
  } finally {
    await service?.stop()
    await cluster.stop()
  }
}
