import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { createSolanaChain } from '#adapters/chains/solana/solanaChain.js'
import type { SolanaChainOptions } from '#adapters/chains/solana/solanaChainOptions.js'
import { parseConfig } from '#base/config/parseConfig.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { openChain } from '#entry/openChain.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'
import { startRelay } from '../../../helpers/startRelay.js'

const genesis = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
  'a cluster with the genesis hash': '11111111111111111111111111111111',
}
type Cluster = keyof typeof genesis

const log = { info: () => {}, warn: () => {}, error: () => {} }
const orderId = crypto.randomUUID()
const key = 'hunter2-hunter2-hunter2'

let database: OpenDatabase
let node: Awaited<ReturnType<typeof startLocalSolana>>
let relay: Awaited<ReturnType<typeof startRelay>>
/** What the node says it is of. */
let cluster: Cluster
/** The methods that the node was asked for, apart from its cluster. */
let asked: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  node = await startLocalSolana({ port: 0, slotMs: 20, finalizedAfter: 4 })
  const answerGenesis = (body: string, answer: string) => {
    const { method, id } = JSON.parse(body) as { method: string; id: string }
    if (method === 'getGenesisHash') return JSON.stringify({ jsonrpc: '2.0', id, result: genesis[cluster] })
    asked.push(method)
    return answer
  }
  relay = await startRelay(node.rpcUrl, async () => {}, undefined, answerGenesis)
})
afterAll(async () => {
  await relay.close()
  await node.close()
  await database.close()
})
beforeEach(() => {
  asked = []
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

const open = (isTestnet: boolean, more: Partial<SolanaChainOptions> = {}) =>
  createSolanaChain({
    chain: 'solana',
    db: database.db,
    log,
    isLocal: false,
    isTestnet,
    pollMs: 10,
    rpcUrl: async () => `${relay.url}/v2/${key}`,
    operatorKey: new Uint8Array(32).fill(7),
    tokens: [],
    commitment: 'confirmed',
    close: async () => {},
    ...more,
  })

/** Checks that a node is not used, and that the error says why without its key. */
const expectUnused = async (work: Promise<unknown>, ...words: string[]) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'chain-unavailable', isOutage: true })
  for (const word of ['KASSA_RPC_SOLANA', ...words]) expect(String(error)).toContain(word)
  expect(String(error)).not.toContain(key)
}

test.each<[string, Cluster, boolean]>([
  ['in production', 'mainnet-beta', false],
  ['on staging', 'devnet', true],
  ['on staging', 'testnet', true],
  ['on staging', 'a cluster with the genesis hash', true],
])('default: %s, a node of %s is used', async (_, name, isTestnet) => {
  cluster = name
  expect(await open(isTestnet).getHead()).toMatchObject({ number: expect.any(BigInt) })
})

test.each<[string, Cluster, boolean, string]>([
  ['in production', 'devnet', false, 'mainnet-beta'],
  ['in production', 'testnet', false, 'mainnet-beta'],
  ['in production', 'a cluster with the genesis hash', false, 'mainnet-beta'],
  ['on staging', 'mainnet-beta', true, 'a test network'],
])('error: %s, a node of %s is not used', async (_, name, isTestnet, wanted) => {
  cluster = name
  const chain = open(isTestnet)
  const refund = { orderId, currency: 'sol', units: 1n, recipient: '11111111111111111111111111111111' }
  await expectUnused(chain.getHead(), `the node is of ${name}`, `and not of ${wanted}`)
  await expectUnused(chain.findPayments({ fromBlock: 0n, toBlock: 1n, targets: [] }))
  await expectUnused(chain.refund(orderId, refund))
  await expectUnused(chain.checkTokens?.() ?? Promise.resolve())
  await expectUnused(chain.getStatement([{ orderId, payOutKeys: [] }]))
  expect(asked).toEqual([])
})

test.each<[string, Cluster, Cluster, boolean]>([
  ['in production', 'mainnet-beta', 'devnet', false],
  ['on staging', 'devnet', 'testnet', true],
])(
  'error: %s, a node that its provider switches from %s to %s is not used',
  async (_, first, other, isTestnet) => {
    cluster = first
    const chain = open(isTestnet)
    await chain.getHead()
    cluster = other
    vi.setSystemTime(Date.now() + 10_000)
    asked = []
    for (let attempt = 0; attempt < 2; attempt++)
      await expectUnused(chain.getHead(), `the node is of ${other}`, `and not of ${first}`)
    expect(asked).toEqual([])
    cluster = first
    expect(await chain.getHead()).toMatchObject({ number: expect.any(BigInt) })
  },
)

test('behavior: the cluster of a local chain is the service’s own', async () => {
  cluster = 'mainnet-beta'
  expect(await open(true, { isLocal: true }).getHead()).toMatchObject({ number: expect.any(BigInt) })
})

const holder = '11111111111111111111111111111111'
const openAway = (fallbackUrl: string | undefined) =>
  open(false, { rpcUrl: async () => 'http://127.0.0.1:1', fallbackUrl })

test('default: while the first node is away, the second one answers for balances alone', async () => {
  cluster = 'mainnet-beta'
  const chain = openAway(`${relay.url}/${key}`)
  const held = await open(false).wallets.getBalances(holder, ['sol'])
  expect(held).toEqual({ sol: expect.any(BigInt) })
  expect(await chain.wallets.getBalances(holder, ['sol'])).toEqual(held)
  asked = []
  const unavailable = expect.objectContaining({ code: 'chain-unavailable' })
  await expect(chain.getHead()).rejects.toEqual(unavailable)
  await expect(chain.getOperatorBalance()).rejects.toEqual(unavailable)
  expect(asked).toEqual([])
})

test('error: without a second node, or with one of another cluster, the chain is unavailable', async () => {
  cluster = 'devnet'
  const chain = openAway(`${relay.url}/${key}`)
  const error = await chain.wallets.getBalances(holder, ['sol']).catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('KASSA_RPC_FALLBACK_SOLANA: the node is of devnet')
  expect(String(error)).not.toContain(key)
  await expect(openAway(undefined).wallets.getBalances(holder, ['sol'])).rejects.toMatchObject({
    code: 'chain-unavailable',
  })
})

test('error: a deployment in production does not use a test network', async () => {
  cluster = 'devnet'
  const config = parseConfig({
    KASSA_ENVIRONMENT: 'production',
    KASSA_CHAINS: 'solana',
    KASSA_RPC_SOLANA: `${relay.url}/${key}`,
    KASSA_OPERATOR_KEY: `0x${'1'.repeat(64)}`,
    KASSA_SOLANA_OPERATOR_KEY: '3'.repeat(64),
    KASSA_MASTER_KEY: '2'.repeat(64),
  })
  await expectUnused(
    openChain({ config, db: database.db, log: log as never }, 'solana').port.getHead(),
    'devnet',
  )
  cluster = 'mainnet-beta'
  expect(
    await openChain({ config, db: database.db, log: log as never }, 'solana').port.getHead(),
  ).toBeDefined()
})
