import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  parseAbiItem,
  parseEther,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../scripts/lib/child.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { waitFor } from '../../scripts/lib/waitFor.mjs'
import { createLocalNode } from '../../service/src/adapters/chains/evm/local/localNode.js'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import {
  type Client,
  createClient,
  createOrder,
  getOrder,
  isKassaError,
  putCollection,
} from '../../src/api/index.js'
import type { Order } from '../../src/schema/index.js'
import { root } from '../helpers/sources.js'
import { startBalancer } from './helpers/balancer.js'
import { freshDataDir } from './helpers/dataDir.js'
import { createForeignClient } from './helpers/foreignClient.js'

const chain = 'base-sepolia'
const script = join(root, 'service/dist/bin.js')
const dataDir = freshDataDir('processes')
const node = createLocalNode({ chain, chainId: 84532, dataDir: join(dataDir, 'chains') })
const operatorKey = generatePrivateKey()

let postgres: Awaited<ReturnType<typeof startPostgres>>
let balancer: Awaited<ReturnType<typeof startBalancer>>
let rpcUrl: string
let settings: Record<string, string>
let ports: number[]
let client: Client
const running = new Map<number, Child>()

const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|KASSA_|DATABASE_URL)/.test(name)),
)
const operate = async (...args: string[]): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [script, ...args], {
      env: { ...ownEnvironment, ...settings },
    })
  ).stdout

const start = async (port: number): Promise<Child> => {
  const env = { ...ownEnvironment, ...settings, KASSA_PORT: String(port) }
  const log = join(dataDir, `logs/${port}.log`)
  const child = startChild({ name: `process on ${port}`, script, cwd: root, env, log })
  running.set(port, child)
  await waitFor(`http://127.0.0.1:${port}/ready`, child)
  return child
}

beforeAll(async () => {
  ;[postgres, rpcUrl] = await Promise.all([startPostgres(), node.rpcUrl()])
  const chainClient = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await chainClient.setBalance({ address: privateKeyToAddress(operatorKey), value: parseEther('1000') })
  settings = {
    DATABASE_URL: await postgres.createDatabase(),
    KASSA_CHAINS: chain,
    KASSA_RPC_BASE_SEPOLIA: rpcUrl,
    KASSA_CONFIRMATIONS_BASE_SEPOLIA: '1',
    KASSA_OPERATOR_KEY: operatorKey,
    KASSA_MASTER_KEY: randomBytes(32).toString('hex'),
    KASSA_DATA_DIR: join(dataDir, 'service'),
    // All buyers of this test share one address.
    KASSA_WRITES_PER_MINUTE: '100000',
    KASSA_READS_PER_MINUTE: '100000',
    KASSA_SECRET_READS_PER_MINUTE: '100000',
    KASSA_SHUTDOWN_SECONDS: '3',
  }
  await operate('migrate')
  const first = await findPort(24_400)
  ports = [first, await findPort(first + 1)]
  await Promise.all(ports.map(start))
  balancer = await startBalancer(ports)
  const scopes = 'orders.create,orders.read,collections.create,collections.read'
  const apiKey = (await operate('keys', 'create', '--project', 'shop', '--scopes', scopes)).trim()
  client = createClient({ baseUrl: `${balancer.url}/api`, apiKey })
})
afterAll(async () => {
  await balancer?.stop()
  await Promise.all([...running.values()].map((child) => child.stop()))
  await node.stop()
  await postgres?.stop()
})

/** A call that broke down in the middle is made again as it was, the way every client may. */
const persist = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
  for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
    try {
      return await call()
    } catch (error) {
      if (!isKassaError(error) || !error.retryable || Date.now() > deadline) throw error
    }
  }
}

/** Buys one token, from the order to its delivery. */
const buy = async (): Promise<{ recipient: string; order: Order }> => {
  const account = privateKeyToAccount(generatePrivateKey())
  const chainClient = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await chainClient.setBalance({ address: account.address, value: parseEther('1') })
  const idempotencyKey = randomBytes(16).toString('hex')
  const body = {
    recipient: { walletAddress: account.address },
    payment: { method: chain, currency: 'eth', payerAddress: account.address } as const,
    lineItems: { collectionLocator: 'kassa:prints' },
  }
  const { orderId } = (await persist(() => createOrder(client, { idempotencyKey, body }))).order
  const read = () => persist(() => getOrder(client, { orderId }))
  const foreign = createForeignClient({ baseUrl: client.baseUrl, clientKey: '', origin: '' })
  const { orderId: _, payment, lineItems, quote, phase } = await read()
  await foreign.pay({ orderId, payment, lineItems, quote, phase } as never, account, rpcUrl)
  for (const deadline = Date.now() + 120_000; ; await sleep(250)) {
    const order = await read()
    if (order.phase === 'completed') return { recipient: account.address, order }
    if (Date.now() > deadline) throw new Error(`${orderId} is still ${order.phase} / ${order.payment.status}`)
  }
}

const transfer = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
)

test('behavior: of two processes one is stopped and one is killed, and every order is delivered once', async () => {
  const [stopped = 0, killed = 0] = ports
  await persist(() =>
    putCollection(client, {
      collectionId: 'prints',
      body: { chain, metadata: { name: 'Prints' }, payments: { price: '0.01', currency: 'eth' } },
    }),
  )
  const purchases: Promise<{ recipient: string; order: Order }>[] = []
  const sell = async (count: number) => {
    for (let sold = 0; sold < count; sold++) {
      purchases.push(buy())
      await sleep(100)
    }
  }
  await sell(8)
  running.get(stopped)?.signal('SIGTERM')
  await sell(4)
  expect(await running.get(stopped)?.exited).toBe('status 0')
  await start(stopped)
  await sell(4)
  running.get(killed)?.signal('SIGKILL')
  await sell(4)
  await running.get(killed)?.exited
  await start(killed)
  await sell(4)
  const bought = await Promise.all(purchases)
  expect(bought).toHaveLength(24)

  const items = bought.map(({ order }) => order.lineItems[0]?.delivery)
  expect(items.map((delivery) => delivery?.status)).toEqual(Array(24).fill('completed'))
  const tokens = items.flatMap((delivery) => delivery?.tokens ?? [])
  const contract = tokens.flatMap((token) => token.contractAddress ?? [])[0] ?? ''
  const chainClient = createPublicClient({ transport: http(rpcUrl) })
  const mints = await chainClient.getLogs({
    address: getAddress(contract),
    event: transfer,
    args: { from: zeroAddress },
    fromBlock: 0n,
    strict: true,
  })
  expect(mints.map(({ args }) => args.to).sort()).toEqual(bought.map(({ recipient }) => recipient).sort())
  // Otherwise one of them did nothing, and the test would prove nothing.
  for (const count of balancer.counts.values()) expect(count).toBeGreaterThan(20)
  for (const option of ['--recount', '--chains']) {
    const answer: { totals: Record<string, string>[] } = JSON.parse(await operate('ledger', '--json', option))
    const { totals } = answer
    expect(totals.find(({ currency }) => currency === 'eth')).toMatchObject({ chain, received: '0.24' })
    expect(totals.map(({ difference }) => difference)).toEqual(totals.map(() => '0'))
  }
})
