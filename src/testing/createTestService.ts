import { createClient } from '../api/client.js'
import { evmChains, isEvmChainName } from '../schema/chains.js'
import { listOperationsAt } from '../schema/matchOperation.js'
import { streamOrder } from '../schema/operations.js'
import type { SignedCurrencies } from './evm/createSignatureLedger.js'
import { createTestChains } from './evm/createTestChains.js'
import { rules, type TestChainName } from './network.js'
import { answerRequest } from './service/answerRequest.js'
import type { Service, ServiceMemory } from './service/caller.js'
import { createRefusals, readCall, writeResponse } from './service/http.js'
import { collectionAddress } from './service/nameAddress.js'
import { findTestOrder, viewTestOrder } from './service/orders/readOrders.js'
import { payTestOrder } from './service/payment.js'
import { setBalance } from './service/setBalance.js'
import {
  defaultCollections,
  type StockedCollection,
  stock,
  type TestCollection,
} from './service/testCollection.js'
import type { TestOrder, TestWorld, Timings } from './service/testWorld.js'
import { issuer } from './service/wallets/getTestCredential.js'
import { createGiveToken } from './service/wallets/giveToken.js'
import { findTestTokens } from './service/wallets/listTestTokens.js'
import { progressTransaction } from './service/wallets/sendTransaction.js'
import { requireTestWallet, viewTestUserWallet } from './service/wallets/wallets.js'
import { createTestSolana } from './solana/createTestSolana.js'
import { openSolanaNode } from './solana/openSolanaNode.js'
import { expose } from './testInternals.js'
import type { TestRequest, TestService } from './testService.js'

/** Parameters of {@link createTestService}. */
export type CreateTestServiceParameters = {
  /** The clock, such as `Date.now` under fake timers. Without one, only `advance` moves the time. */
  now?: (() => number) | undefined
  /** The collections on sale. By default the sandbox's. */
  collections?: readonly TestCollection[] | undefined
  /** The duration of a payment and of a delivery. By default a second each. */
  timings?: Partial<Timings> | undefined
  /** How long a price is valid. By default ten minutes. @units milliseconds */
  quoteTtlMs?: number | undefined
  /**
   * The enabled chains: EVM chains and `solana`. By default the sandbox's. A test wallet starts on the first one.
   */
  chains?: readonly TestChainName[] | undefined
  /** The service's address, for an app that has it built in. */
  baseUrl?: string | undefined
  /**
   * Whether the shop sends payments that buyers sign, and pays their network fee. By default it does not. With `true`, a
   * wallet signs once for USDC and twice for USDXM, as in the sandbox; an object names how a wallet signs, by currency:
   * `{ usdc: 'permit2' }`.
   */
  gasless?: boolean | SignedCurrencies | undefined
}

const readSigned = (gasless: CreateTestServiceParameters['gasless']): SignedCurrencies => {
  if (typeof gasless === 'object') return gasless
  return gasless ? { usdc: 'erc3009', usdxm: 'permit' } : {}
}

const sandboxChains: readonly TestChainName[] = ['base-sepolia', 'polygon-amoy', 'ethereum-sepolia']
const fill = (start: string): string => start.padEnd(start.indexOf('_', 3) + 44, 'A')

/** The time of a service: that of its base, and what a test has skipped. */
const createClock = (given: (() => number) | undefined) => {
  const startMs = Math.floor(Date.now() / 1_000) * 1_000
  const readBase = given ?? (() => startMs)
  let skippedMs = 0
  return {
    now: (): number => readBase() + skippedMs,
    skip: (ms: number): void => {
      skippedMs += ms
    },
  }
}

/** The state of a service that has sold nothing. */
const createWorld = (now: () => number, parameters: CreateTestServiceParameters): TestWorld => {
  const { chains: enabled = sandboxChains } = parameters
  const collections = (parameters.collections ?? defaultCollections).map(stock)
  const timings: Timings = { seenMs: 1_000, confirmedMs: 1_000, deliveredMs: 1_000, ...parameters.timings }
  const signedCurrencies = readSigned(parameters.gasless)
  const chains = createTestChains(now, () => timings.seenMs, signedCurrencies)
  const solana = createTestSolana(now, () => timings.seenMs)
  for (const { id, chain } of collections)
    if (chain !== 'solana') chains.tokens.open(evmChains[chain].chainId, collectionAddress(id))
  return {
    now,
    chains,
    solana,
    enabled,
    collections: new Map(collections.map((collection) => [collection.id, collection])),
    orders: new Map(),
    wallets: new Map(),
    transactions: new Map(),
    faults: { refused: [], failed: [] },
    looks: new Map(),
    timings,
    quoteTtlMs: parameters.quoteTtlMs ?? 600_000,
    signedCurrencies,
  }
}

/** The interface of a service, as `fetch` reaches it, and what a test learns and changes of the calls. */
const createInterface = (service: Service, baseUrl: string) => {
  const requests: TestRequest[] = []
  const refusals = createRefusals()
  const serve: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const call = await readCall(baseUrl, input, init)
    // A stream would need timers. With this answer, the order is polled, and no test has to expect the question.
    if (listOperationsAt({ streamOrder }, call.path).length) return new Response(null, { status: 204 })
    const request: TestRequest = { method: call.method, path: call.path, status: undefined }
    requests.push(request)
    const answer = await answerRequest(service, call, refusals.refuse)
    const response = writeResponse(call, answer, service.world.now())
    request.status = response.status
    return response
  }
  return {
    fetch: serve,
    client: createClient({ baseUrl, fetch: serve, apiKey: service.memory.clientKey }),
    refuseNext: refusals.add,
    requests,
  }
}

/** What a test does with collections and orders. */
const createSaleControls = (world: TestWorld) => {
  const requireOrder = (orderId: string): TestOrder => {
    const record = findTestOrder(world, orderId)
    if (!record) throw new Error(`The test service has no order ${orderId}`)
    return record
  }
  const requireCollection = (collectionId: string): StockedCollection => {
    const collection = world.collections.get(collectionId)
    if (!collection) throw new Error(`The test service has no collection ${collectionId}`)
    return collection
  }
  return {
    sellOut: (collectionId) => {
      requireCollection(collectionId).isSoldOut = true
    },
    failDelivery: (orderId, at) => {
      const { order, failing } = requireOrder(orderId)
      for (const index of order.lineItems.keys()) {
        if (at === undefined || at === index) failing.add(index)
      }
    },
    setPrice: (collectionId, price) => {
      requireCollection(collectionId).price = price
    },
    pay: (orderId, options) => {
      const hash = payTestOrder(world, requireOrder(orderId), options)
      findTestOrder(world, orderId)
      return hash
    },
    getOrder: (orderId) => viewTestOrder(world, requireOrder(orderId), 'server'),
    getSecret: (orderId) => requireOrder(orderId).clientSecret,
  } satisfies Partial<TestService>
}

/** What a test does with wallets. */
const createWalletControls = (world: TestWorld) =>
  ({
    setBalance: (account, currency, amount) => setBalance(world, account, { currency, amount }),
    giveToken: createGiveToken(world),
    refuseNextTransaction: (reason) => void world.faults.refused.push(reason),
    failNextTransaction: (reason) => void world.faults.failed.push(reason),
    getWallet: (walletLocator) => viewTestUserWallet(requireTestWallet(world, walletLocator)),
    getTokens: (identifier) => findTestTokens(world, identifier),
  }) satisfies Partial<TestService>

/**
 * Starts a service in memory for a test, with the real one's schemas, states and messages, over its own
 * chains. It has no timers: an order, and a transaction of a user's wallet, advances when the service's clock
 * does.
 *
 * @example
 * ```ts
 * import { createOrder } from 'kassa/api'
 * import { createTestService } from 'kassa/testing'
 *
 * export const buy = async () => {
 *   const service = createTestService()
 *   const { order } = await createOrder(service.client, {
 *     body: {
 *       recipient: { email: 'ada@example.com' },
 *       payment: { method: 'base-sepolia', currency: 'eth' },
 *       lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
 *     },
 *   })
 *   service.pay(order.orderId)
 *   service.advance(2_000)
 *   return service.getOrder(order.orderId).phase // 'completed'
 * }
 * ```
 */
export const createTestService = (parameters: CreateTestServiceParameters = {}): TestService => {
  const baseUrl = (parameters.baseUrl ?? 'https://kassa.test/api').replace(/(?<!\/)\/+$/, '')
  const clock = createClock(parameters.now)
  const world = createWorld(clock.now, parameters)
  const memory: ServiceMemory = {
    serverKey: fill('sk_staging_test'),
    clientKey: fill('ck_staging_test'),
    answers: new Map(),
  }
  const defaultChainId = evmChains[world.enabled.find(isEvmChainName) ?? 'base-sepolia'].chainId
  const service: TestService = {
    baseUrl,
    ...createInterface({ world, memory }, baseUrl),
    serverKey: memory.serverKey,
    clientKey: memory.clientKey,
    rules,
    solana: openSolanaNode(world.solana),
    chain: async (call, chainId = defaultChainId) => world.chains.request(chainId, call),
    chains: world.enabled,
    now: clock.now,
    advance: (ms) => {
      clock.skip(ms)
      for (const orderId of world.orders.keys()) findTestOrder(world, orderId)
      for (const transaction of world.transactions.values()) progressTransaction(world, transaction)
    },
    ...createSaleControls(world),
    ...createWalletControls(world),
    issuer,
  }
  expose(service, world)
  return service
}
