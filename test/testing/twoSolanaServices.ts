import { generateKeyPairSync, type KeyObject, sign as signWithKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { startLocalSolana } from '../../service/src/adapters/chains/solana/local/startLocalSolana.js'
import { createSolanaChain } from '../../service/src/adapters/chains/solana/solanaChain.js'
import { createHandlers } from '../../service/src/entry/createHandlers.js'
import { insertCollection } from '../../service/src/goods/collections/insertCollection.js'
import { type PaymentWatcher, watchPayments } from '../../service/src/sale/payments/watchPayments.js'
import { createFakeChain } from '../../service/test/helpers/createFakeChain.js'
import { createTestDatabase } from '../../service/test/helpers/createTestDatabase.js'
import { createTestService as createRealService } from '../../service/test/helpers/createTestService.js'
import { createClient, mintNft, waitForAction } from '../../src/api/index.js'
import { decodeMessage } from '../../src/chain/solana/message.js'
import { fromBase64, toBase64 } from '../../src/chain/solana/transaction.js'
import { encodeBase58 } from '../../src/engine/solana/base58.js'
import { getAssociatedTokens, programs } from '../../src/engine/solana/orderAccounts.js'
import type { Order } from '../../src/schema/index.js'
import { createTestService } from '../../src/testing/index.js'
import { encodeMessage, type InstructionDraft, writeUnits } from '../../src/testing/solana/encodeMessage.js'
import { writeTransaction } from '../../src/testing/solana/signBytes.js'
import { type Answer, listFields, openLog, type World as Service } from './twoServices.js'

/** A service with Solana, real or not, and what a test can do to its cluster. */
export type World = Omit<Service, 'giveToken' | 'setBalance'> & {
  giveToken(recipient: string): Promise<string>
  /** Creates an account that has nothing yet. */
  createAccount(): Account
  /** Sends an account money. @units base units */
  fund(address: string, currency: string, units: bigint): Promise<void>
  /** Calls a method of the node. */
  rpc(method: string, ...params: unknown[]): Promise<unknown>
  /** Lets blocks pass, so that a blockhash of now is gone. */
  skipBlocks(): Promise<void>
}

const tea = { id: 'tea', name: 'Tea', description: 'A tea', imageUrl: 'ipfs://picture', price: '0.5' }
const look = { name: 'Oolong', description: 'Half oxidised' }

const object = (value: unknown): Record<string, unknown> => Object(value)

const openReal = async () => {
  const database = await createTestDatabase()
  const node = await startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter: 6 })
  const ticking = setInterval(() => node.tick(), 20)
  const chain = createSolanaChain({
    chain: 'solana',
    db: database.db,
    isLocal: true,
    isTestnet: true,
    pollMs: 10,
    commitment: 'confirmed',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    rpcUrl: async () => node.rpcUrl,
    operatorKey: new Uint8Array(32).fill(7),
    tokens: 'test-tokens',
    close: async () => {},
  })
  await chain.ready()
  let watcher: PaymentWatcher | undefined
  const service = await createRealService({
    chains: [chain, createFakeChain({ now: Date.now }).port],
    database,
    handlers: (deps) => ({
      ...createHandlers(deps),
      'payments.look': async (data) => watcher?.look(data),
    }),
  })
  const { deps, projectId } = service
  const { id, price, ...goods } = tea
  const collection = { projectId, id, ...goods, chain: 'solana', symbol: 'TEA' } as const
  const payments = { price, currency: 'sol' }
  await deps.db.transaction((tx) => insertCollection(tx, { ...collection, payments }, deps.now()))
  watcher = watchPayments(deps, { tickMs: 50, fundsEveryMs: 50 })
  const baseUrl = 'http://service.test/api'
  const request: typeof fetch = (input, init) => Promise.resolve(service.app.request(String(input), init))
  const merchant = createClient({ baseUrl, apiKey: service.serverKey, fetch: request })
  let fundings = 0
  const world: World = {
    fetch: request,
    baseUrl,
    serverKey: service.serverKey,
    clientKey: service.clientKey,
    advance: service.advance,
    wait: () => sleep(50),
    createAccount,
    fund: async (recipient, currency, units) => {
      await chain.wallets.fund(`fund:${fundings++}`, { currency, units, recipient })
    },
    giveToken: async (recipient) => {
      const to = recipient.includes('@') ? (`${recipient}:solana` as const) : `solana:${recipient}`
      const metadata = { ...look, image: 'ipfs://picture' }
      const body = { recipient: to, metadata, reuploadLinkedFiles: false }
      const { actionId = '' } = await mintNft(merchant, { collectionId: 'tea', body })
      const { data } = await waitForAction(merchant, { actionId })
      return data.token?.mintHash ?? ''
    },
    rpc: async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(node.rpcUrl, { method: 'POST', headers, body })
      return object(await response.json()).result
    },
    skipBlocks: async () => {
      for (let left = 160; left > 0; left--) node.tick()
    },
  }
  const close = async () => {
    await watcher?.stop()
    await service.close()
    clearInterval(ticking)
    await node.close()
    await database.close()
  }
  return { world, close }
}

const openTest = (): World => {
  const service = createTestService({
    chains: ['solana', 'base-sepolia'],
    collections: [{ ...tea, chain: 'solana' }],
    // The real one polls faster than a test can look.
    timings: { seenMs: 400 },
  })
  const balances = new Map<string, bigint>()
  const decimals: Readonly<Record<string, number>> = { sol: 9, usdc: 6 }
  return {
    fetch: service.fetch,
    baseUrl: service.baseUrl,
    serverKey: service.serverKey,
    clientKey: service.clientKey,
    advance: async (ms) => service.advance(ms),
    wait: async () => service.advance(1_000),
    createAccount: () => {
      const account = createAccount()
      for (const currency of ['sol', 'usdc', 'usdxm']) service.setBalance(account.address, currency, '0')
      return account
    },
    fund: async (address, currency, units) => {
      const key = `${address} ${currency}`
      const all = (balances.get(key) ?? 0n) + units
      balances.set(key, all)
      const digits = String(all).padStart(1 + (decimals[currency] ?? 0), '0')
      const point = digits.length - (decimals[currency] ?? 0)
      service.setBalance(address, currency, `${digits.slice(0, point)}.${digits.slice(point)}`)
    },
    giveToken: async (recipient) => service.giveToken(recipient, { ...look, chain: 'solana' }).mintHash,
    rpc: async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await service.solana.fetch(service.solana.rpcUrl, { method: 'POST', body })
      return object(await response.json()).result
    },
    skipBlocks: async () => service.advance(65_000),
  }
}

/** An account with a key. */
export type Account = { address: string; privateKey: KeyObject }

const createAccount = (): Account => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = encodeBase58(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  return { address, privateKey }
}

export const sign = (privateKey: KeyObject, message: Uint8Array): Uint8Array =>
  Uint8Array.from(signWithKey(null, message, privateKey))

export const transferSol = (from: string, to: string, units: bigint): InstructionDraft => ({
  program: programs.system,
  accounts: [
    { address: from, isSigner: true, isWritable: true },
    { address: to, isWritable: true },
  ],
  data: [2, 0, 0, 0, ...writeUnits(units)],
})

/** Writes a transaction without signatures, as wallets take it: base58. */
export const writeMessage = async (
  { rpc }: World,
  feePayer: string,
  instructions: readonly InstructionDraft[],
): Promise<string> => {
  const { blockhash } = object(object(await rpc('getLatestBlockhash', { commitment: 'confirmed' })).value)
  const message = encodeMessage({ feePayer, blockhash: String(blockhash), instructions })
  const empty = Array.from({ length: message[1] ?? 0 }, () => new Uint8Array(64))
  return encodeBase58(writeTransaction(empty, message))
}

/** Signs a prepared message, and sends it to the node. */
export const payWith = async (
  { rpc }: World,
  privateKey: KeyObject,
  order: Order,
  change: (message: Uint8Array) => Uint8Array = (message) => message,
): Promise<void> => {
  const message = change(
    fromBase64(order.payment.preparation?.serializedTransaction ?? '') ?? new Uint8Array(),
  )
  const sent = await rpc(
    'sendTransaction',
    toBase64(writeTransaction([sign(privateKey, message)], message)),
    { encoding: 'base64' },
  )
  expect(typeof sent).toBe('string')
}

/** Describes a message by what does not differ from one service to another. */
const describeMessage = (text: string): unknown => {
  const bytes = fromBase64(text) ?? new Uint8Array()
  const { signers, instructions } = decodeMessage(bytes)
  return {
    header: [...bytes.slice(0, 4)],
    signers: signers.length,
    instructions: instructions.map(({ program, accounts, data }) => {
      const memo =
        program === programs.memo ? new TextDecoder().decode(data).replace(/[0-9a-f-]{36}/, '<id>') : ''
      const [source, mint = '', , owner = ''] = accounts
      const isOwn = program === programs.token && source === getAssociatedTokens(owner, mint, program)
      return { program, accounts: accounts.length, data: memo || toBase64(data), isOwn }
    }),
  }
}

const hideText = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/cs_[\w-]+/g, '<secret>')
    .replace(/0x[0-9a-fA-F]{130}/g, '<proof>')
    .replace(/0x[0-9a-fA-F]{40}/g, '<issuer>')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{100,}\b/g, '<bytes>')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{80,99}\b/g, '<signature>')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, '<address>')

/** An answer without what differs by chance. */
export const hide = (value: unknown, key = ''): unknown => {
  if (key === 'serializedTransaction') return describeMessage(String(value))
  if (key === 'lastValidBlockHeight') return typeof value
  if (typeof value === 'string') return hideText(value)
  // Units that a machine in between has used are not counted by a test cluster.
  if (key === 'logs' && Array.isArray(value))
    return value.filter((line) => !/consumed/.test(String(line))).map((line) => hide(line))
  if (Array.isArray(value)) return value.map((each) => hide(each))
  if (typeof value !== 'object' || value === null) return value
  // The chain beside Solana is another one in each service.
  if (key === 'networkFee' && 'currency' in value && value.currency !== 'sol') return '<fee>'
  return Object.fromEntries(listFields(value).map(([name, inner]) => [name, hide(inner, name)]))
}

/** Talks to a service, and writes down what it said. */
const openSolanaLog = (world: World) => {
  const { send } = openLog({ ...world, giveToken: neverCalled, setBalance: neverCalled })
  const log: [step: string, answer: unknown][] = []
  const ask = async (step: string, path: string, call: Parameters<typeof send>[1] = {}): Promise<Answer> => {
    const answer = await send(path, call)
    log.push([step, hide(answer)])
    return answer
  }
  const post = (step: string, path: string, body: unknown) => ask(step, path, { method: 'POST', body })
  return { log, send, ask, post }
}
export type Log = ReturnType<typeof openSolanaLog>

const neverCalled = async (): Promise<never> => {
  throw new Error('of EVM chains only')
}

/** Opens both services with Solana. Returns a function that does the same to both and compares their answers. */
export const useTwoSolanaServices = () => {
  let real: Awaited<ReturnType<typeof openReal>>
  let tested: World
  beforeAll(async () => {
    real = await openReal()
    tested = openTest()
  })
  afterAll(() => real.close())
  return async (act: (world: World, log: Log) => Promise<void>): Promise<void> => {
    const logs = await Promise.all(
      [real.world, tested].map(async (world) => {
        const log = openSolanaLog(world)
        await act(world, log)
        return log.log
      }),
    )
    expect(logs[0]?.length).toBeGreaterThan(0)
    expect(logs[1]).toEqual(logs[0])
  }
}
