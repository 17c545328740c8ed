import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, getAction, mintNft, putCollection } from 'kassa/api'
import { createTestClient, http, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { openSandbox } from '../../scripts/lib/sandbox.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { createLocalNode } from '../../service/src/adapters/chains/evm/local/localNode.js'
import { openPostgres } from '../../service/src/adapters/postgres/openPostgres.js'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { startRelay } from '../../service/test/helpers/startRelay.js'
import type { Table } from '../report/table.mjs'
import { measureLog } from './measureLog.js'
import type { Flood } from './sendFlood.mjs'

const dataDir = join(stateDir, 'bench/flood')
const chain = 'base-sepolia'
const collectionId = 'flood'
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const lastMs = 8_000
const mints = 50
const maxLiveMs = 100
const timerMs = 10
const settings = {
  KASSA_CHAINS: chain,
  KASSA_CONFIRMATIONS_BASE_SEPOLIA: '1',
  KASSA_BEHIND_PROXY: '1',
  // The batch of tokens and the last order are to be taken beside the orders of a flood.
  KASSA_WRITES_PER_MINUTE: '300',
}

type Answers = Readonly<Record<string, number>>

const startHelper = (file: string, input: unknown) => {
  const helper = fork(fileURLToPath(new URL(file, import.meta.url)))
  const answered = once(helper, 'message').then(([answer]) => answer)
  const exited = once(helper, 'exit').then(() => Promise.reject(new Error(`${file} ended without an answer`)))
  helper.send(input as object)
  return { helper, answer: Promise.race([answered, exited]) }
}

/** Sends a flood from a process of its own, and returns how often each status was answered. */
const send = (flood: Flood): Promise<Answers> => startHelper('./sendFlood.mjs', flood).answer

/** Asks `/live` from a process of its own until some work is done, and returns how long each answer took. */
const probe = async (url: string, work: Promise<unknown>): Promise<number[]> => {
  const { helper, answer } = startHelper('./probeLive.mjs', url)
  await work.finally(() => helper.send('stop'))
  return answer
}

/**
 * Reads for how long the event loop of the service was kept from its timers, since it was read last.
 *
 * @units ms at the 99th percentile, and at the worst
 */
const readLoopDelay = async (metricsUrl: string): Promise<[number, number]> => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  const read = (name: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]) * 1000
  // The timer that measures it comes every 10 ms.
  return [read('p99') - timerMs, read('max') - timerMs]
}

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? Number.NaN

/** Resident memory of a process, where the system says it. @units MiB */
const readMemory = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** A film of 20 MiB among the stored files, as the copy of a linked file would put it there. */
const storeFilm = async (databaseUrl: string): Promise<string> => {
  const cid = `b${'a'.repeat(58)}`
  const database = await openPostgres(databaseUrl, () => {}, { isMigrating: false })
  await database.executeSql('insert into files (cid, content_type, bytes) values ($1, $2, $3)', [
    cid,
    'video/mp4',
    randomBytes(20 * 1024 * 1024),
  ])
  await database.close()
  return cid
}

const orderBody = (lineItems: number, callDataBytes: number, metadataBytes: number): string =>
  JSON.stringify({
    recipient: { walletAddress: recipient },
    payment: { method: chain, currency: 'eth', payerAddress: recipient },
    lineItems: Array.from({ length: lineItems }, () => ({
      collectionLocator: `kassa:${collectionId}`,
      callData: { note: 'x'.repeat(callDataBytes) },
    })),
    metadata: { note: 'x'.repeat(metadataBytes) },
  })

const openClient = ({ serviceUrl, sandbox }: RunningService) =>
  createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey, timeoutMs: 60_000 })

const openCollection = async (running: RunningService): Promise<void> => {
  const client = openClient(running)
  const body = {
    chain,
    metadata: { name: 'Flood', symbol: 'FLOOD' },
    payments: { price: '0.001', currency: 'eth' },
  } as const
  const { actionId = '' } = await putCollection(client, { collectionId, body })
  while ((await getAction(client, { actionId })).status === 'pending') await sleep(50)
}

/** Asks for a batch of tokens, as many as go into one transaction. */
const askForMints = async (running: RunningService): Promise<void> => {
  const client = openClient(running)
  const metadata = {
    name: 'One',
    image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  }
  const body = { recipient: `${chain}:${recipient}`, metadata, sendNotification: false }
  await Promise.all(Array.from({ length: mints }, () => mintNft(client, { collectionId, body })))
}

type Case = { title: string; flood(): Promise<Answers> }

const describe = (answers: Answers): string =>
  Object.entries(answers)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || 'none'

type Stop = () => Promise<unknown>

/** Stops what was started, the last one first, even if one of them cannot be stopped. */
const stopAll = async (stops: Stop[]): Promise<void> => {
  const stop = stops.pop()
  if (!stop) return
  try {
    await stop()
  } finally {
    await stopAll(stops)
  }
}

/** Floods a service on PostgreSQL in the ways that once stopped it, and measures `/live` meanwhile. */
export const measureFlood = async (): Promise<Table[]> => {
  const stops: Stop[] = []
  try {
    rmSync(dataDir, { recursive: true, force: true })
    const postgres = await startPostgres()
    stops.push(postgres.stop)
    const node = createLocalNode({ chain, chainId: 84_532, dataDir: join(dataDir, 'chain') })
    stops.push(node.stop)
    const nodeUrl = await node.rpcUrl()
    let isNodeDown = false
    const relay = await startRelay(
      nodeUrl,
      async () => {},
      () => (isNodeDown ? 503 : undefined),
    )
    stops.push(relay.close)
    const databaseUrl = await postgres.createDatabase()
    const operator = privateKeyToAddress(openSandbox(dataDir).operatorKey as `0x${string}`)
    const test = createTestClient({ mode: 'anvil', transport: http(nodeUrl) })
    await test.setBalance({ address: operator, value: parseEther('1000') })
    const metricsPort = await findPort(20_000)
    const env = {
      ...settings,
      DATABASE_URL: databaseUrl,
      KASSA_RPC_BASE_SEPOLIA: relay.url,
      KASSA_METRICS_PORT: String(metricsPort),
    }
    const running = await startService({ dataDir, env })
    stops.push(running.stop)
    const { sandbox, service } = running
    // No name is looked up while the answers are timed.
    const url = `http://127.0.0.1:${sandbox.ports.service}`
    const metricsUrl = `http://127.0.0.1:${metricsPort}`
    const json = { 'content-type': 'application/json' }
    const byServer = { ...json, 'x-api-key': sandbox.serverKey }
    const byClient = { ...json, 'x-api-key': sandbox.clientKey }
    const orders = '/api/2022-06-09/orders'
    await openCollection(running)
    const cid = await storeFilm(databaseUrl)
    const maximal = { url, method: 'POST', paths: [orders], headers: byServer, lastMs }
    const cases: Case[] = [
      { title: 'at rest', flood: () => sleep(lastMs, {}) },
      {
        title: 'paths of 15 kB',
        flood: () =>
          send({
            url,
            method: 'GET',
            headers: {},
            lastMs,
            maxCount: 5_000,
            paths: ['a', 'http://a:b', '%20x'].map((text) => `/${text.repeat(15_000).slice(0, 15_000)}`),
          }),
      },
      {
        title: `the node is away during a batch of ${mints}`,
        flood: async () => {
          isNodeDown = true
          await askForMints(running)
          await sleep(lastMs)
          isNodeDown = false
          return { 201: mints }
        },
      },
      {
        title: 'open connections to a file of 20 MiB',
        flood: () =>
          send({
            url,
            method: 'GET',
            headers: {},
            lastMs,
            maxCount: 300,
            isHeldOpen: true,
            paths: [`/ipfs/${cid}`],
            network: '2001:db8:#::1',
          }),
      },
      {
        title: 'a client key from the addresses of one /64',
        flood: () =>
          send({
            url,
            method: 'POST',
            headers: byClient,
            lastMs,
            maxCount: 5_000,
            paths: [orders],
            body: orderBody(1, 10, 10),
            network: '2001:db8::#',
          }),
      },
      {
        title: 'orders as large as they may be',
        flood: () => send({ ...maximal, body: orderBody(50, 250, 16_000), maxCount: 1_000 }),
      },
      {
        title: 'orders of 814 kB',
        flood: () => send({ ...maximal, body: orderBody(50, 16_000, 10), maxCount: 1_000 }),
      },
    ]
    const rows: string[][] = []
    let worst = 0
    for (const { title, flood } of cases) {
      await readLoopDelay(metricsUrl)
      const flooding = flood()
      const memory = { most: 0 }
      const watch = setInterval(() => {
        memory.most = Math.max(memory.most, readMemory(service.pid) ?? 0)
      }, 100)
      const times = await probe(url, flooding)
      clearInterval(watch)
      const [middle, last] = [percentile(times, 0.5), percentile(times, 0.99)]
      worst = Math.max(worst, last)
      const delays = await readLoopDelay(metricsUrl)
      const figures = [middle, last, Math.max(...times), ...delays].map((ms) => ms.toFixed(1))
      rows.push([title, describe(await flooding), ...figures, memory.most.toFixed(0)])
      say(
        `  ${title}: p99 ${last.toFixed(1)} ms, event loop ${delays.map((ms) => ms.toFixed(1)).join(' and ')} ms`,
      )
    }
    const own = await fetch(`${url}${orders}`, {
      method: 'POST',
      headers: byServer,
      body: orderBody(1, 10, 10),
    })
    return [
      {
        title: `\`/live\` while the service is flooded (ms), ${lastMs / 1000} s each`,
        head: [
          '',
          'answers of the flood',
          'p50',
          'p99',
          'worst',
          'event loop p99',
          'event loop worst',
          'memory, MiB',
        ],
        rows,
        notes: [
          `The worst p99 is ${worst.toFixed(1)} ms, ${worst < maxLiveMs ? 'within' : '**over**'} the limit of ${maxLiveMs} ms. After all floods, an order with the server key gets status ${own.status}.`,
          'The built service runs as a process of its own, on its own PostgreSQL. Another process sends the floods over 16 loopback connections, at a lower priority than the service and the process that requests `/live`.',
          '“Event loop” is the delay of the service’s timers. The rest of the time of `/live` is the wait for a CPU core.',
        ],
      },
      measureLog(),
    ]
  } finally {
    await stopAll(stops)
  }
}
