import { createClient, createOrder, getOrder, mintNft, putCollection } from 'kassa/api'
import pg from 'pg'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { createHandlers } from '#entry/createHandlers.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { createTestChain } from './helpers/createTestChain.js'
import { createTestService, type TestService } from './helpers/createTestService.js'
import { databaseKinds } from './helpers/databaseKinds.js'
import { startRelay } from './helpers/startRelay.js'

/** What an operation asks of the database and of the chain's node. */
type Cost = { statements: string[]; transactions: number; nodeRequests: number; nodeCalls: string[] }

const chain = 'base-sepolia'
const collectionId = 'prints'
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let database: OpenDatabase
let world: Awaited<ReturnType<typeof createTestChain>>
let relay: Awaited<ReturnType<typeof startRelay>>
let service: TestService
let cost: Cost | undefined

/** Calls that ask for a block or its fees: one answer serves all orders of a second. */
const isShared = (method: string): boolean => /^eth_(getBlockByNumber|maxPriorityFeePerGas)$/.test(method)

const boundary = /^(begin|commit)/i
/**
 * Statements that no operation asks for: the job queue fetches and renews by the clock, one notification serves all
 * changes of a moment, and one read of the suspended currencies serves all orders of two seconds.
 */
const background =
  /^(with asked as materialized|update jobs set kept_until|select pg_notify|select .* from "suspended_currencies")|-- test/

const query = pg.Client.prototype.query
const countQuery = function (this: pg.Client, ...parameters: Parameters<typeof query>) {
  const [statement] = parameters as unknown[]
  const text = String(
    typeof statement === 'string' ? statement : (statement as { text?: string }).text,
  ).trim()
  if (/^begin/i.test(text) && cost) cost.transactions++
  if (!boundary.test(text) && !background.test(text)) cost?.statements.push(text)
  return query.apply(this, parameters)
}

beforeAll(async () => {
  pg.Client.prototype.query = countQuery as typeof query
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!kind) throw new Error('PostgreSQL is no kind of database')
  database = await kind.open()
  world = await createTestChain(chain, { database, operatorKey: generatePrivateKey() })
  relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    const calls = [JSON.parse(body)].flat() as { method: string }[]
    if (!cost) return
    cost.nodeRequests++
    cost.nodeCalls.push(...calls.map(({ method }) => method))
  })
  const port = world.open({ rpcUrl: async () => relay.url, close: async () => {} })
  service = await createTestService({ chains: [port], database })
  await putCollection(client(), {
    collectionId,
    body: { chain, metadata: { name: 'Prints' }, payments: { price: '0.001' } },
  })
})
afterAll(async () => {
  pg.Client.prototype.query = query
  await service.close()
  await relay.close()
  await world.close()
  await database.close()
})

const viaApp: typeof fetch = async (input, init) => service.app.request(String(input), init)
const client = () =>
  createClient({ baseUrl: 'http://localhost/api', apiKey: service.serverKey, fetch: viaApp })

/** Counts what one operation asks for. */
const count = async (work: () => Promise<unknown>): Promise<Cost> => {
  const counted: Cost = { statements: [], transactions: 0, nodeRequests: 0, nodeCalls: [] }
  cost = counted
  await work().finally(() => (cost = undefined))
  return counted
}

const print = (title: string, { statements, transactions, nodeRequests, nodeCalls }: Cost, per = 1) =>
  console.info(
    `${title}: ${statements.length / per} statements, ${transactions / per} transactions, ` +
      `${nodeCalls.length / per} node calls in ${nodeRequests / per} requests`,
  )

const buy = async (payerAddress: string, idempotencyKey?: string) =>
  createOrder(client(), {
    body: {
      recipient: { walletAddress: recipient },
      payment: { method: chain, currency: 'eth', payerAddress },
      lineItems: { collectionLocator: `kassa:${collectionId}` },
    },
    idempotencyKey,
  })
const read = (orderId: string, headers: Record<string, string> = {}) =>
  service.app.request(`/api/2022-06-09/orders/${orderId}`, {
    headers: { 'x-api-key': service.serverKey, ...headers },
  })

test('default: creating an order', async () => {
  const { address } = await world.createPayer()
  // The first fills the caches: keys, collections, and the blocks of the last second.
  for (let warmUp = 0; warmUp < 2; warmUp++) await buy(address)
  const created = await count(() => buy(address))
  print('create order', created)

  expect(created.statements.length, created.statements.join('\n')).toBeLessThanOrEqual(6)
  expect(created.transactions).toBe(1)
  // One of them asks for the recipient's code.
  expect(created.nodeCalls.filter((method) => !isShared(method)).length).toBe(4)
  expect(created.nodeRequests).toBeLessThanOrEqual(4)
  const repeatable = await count(() => buy(address, 'f2a3f1a5-7d1f-4c3b-9d2b-0d8a4a5b6c7d'))
  print('create order, with an idempotency key', repeatable)
  expect(repeatable.statements.length, repeatable.statements.join('\n')).toBeLessThanOrEqual(8)
})

test('behavior: orders that are created at once have the statements of one, whatever their number', async () => {
  const payers = await Promise.all(Array.from({ length: 12 }, () => world.createPayer()))
  const addresses = payers.map(({ address }) => address)
  const buyAll = (some: readonly string[]) => count(() => Promise.all(some.map((address) => buy(address))))
  // They come while another one is stored, so that they share a transaction.
  const few = await buyAll(addresses.slice(0, 4))
  const many = await buyAll(addresses)
  print('create orders at once, each', many, addresses.length)
  expect([...new Set(many.statements)].sort()).toEqual([...new Set(few.statements)].sort())
  expect(many.statements.length / addresses.length).toBeLessThan(3)
})

test('default: listing orders', async () => {
  const { address } = await world.createPayer()
  const { order } = await buy(address)
  await buy(address)
  const list = async () => {
    const response = await service.app.request('/api/2022-06-09/orders?limit=50', {
      headers: { 'x-api-key': service.serverKey },
    })
    return (await response.json()) as { data: { orderId: string; locale: string }[] }
  }
  await list()
  const listed = await count(list)
  print('list orders', listed)
  expect(listed.statements).toHaveLength(1)
  expect(listed.statements[0]).not.toContain('document')
  await service.app.request(`/api/2022-06-09/orders/${order.orderId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': service.serverKey, 'content-type': 'application/json' },
    body: JSON.stringify({ locale: 'fr-FR' }),
  })
  const { data } = await list()
  expect(data.find(({ orderId }) => orderId === order.orderId)).toMatchObject({ locale: 'fr-FR' })
  expect((await count(list)).statements).toHaveLength(1)
})

test('default: reading an order', async () => {
  const { address } = await world.createPayer()
  const { order, clientSecret } = await buy(address)
  const first = await read(order.orderId)
  const got = await count(async () => read(order.orderId))
  print('get order', got)
  expect(got.statements.length, got.statements.join('\n')).toBeLessThanOrEqual(1)
  expect(got.nodeRequests).toBe(0)
  const unchanged = await count(async () => {
    const response = await read(order.orderId, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect(response.status).toBe(304)
  })
  print('get order, unchanged', unchanged)
  expect(unchanged.statements.length, unchanged.statements.join('\n')).toBeLessThanOrEqual(1)
  const readBySecret = () =>
    getOrder(createClient({ baseUrl: 'http://localhost/api', fetch: viaApp }), {
      orderId: order.orderId,
      clientSecret,
    })
  await readBySecret()
  const bySecret = await count(readBySecret)
  print('get order, by its client secret', bySecret)
  expect(bySecret.statements.length, bySecret.statements.join('\n')).toBeLessThanOrEqual(1)
})

test('default: accepting a mint', async () => {
  const mint = (to: string) =>
    mintNft(client(), {
      collectionId,
      body: {
        recipient: to,
        metadata: {
          name: 'Print',
          image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
        },
        sendNotification: false,
      },
    })
  const address = `${chain}:${recipient}`
  await mint(address)
  const minted = await count(() => mint(address))
  print('accept a mint', minted)

  expect(minted.statements.length, minted.statements.join('\n')).toBeLessThanOrEqual(8)
  expect(minted.transactions).toBeLessThanOrEqual(1)
  // The recipient's code.
  expect(minted.nodeRequests).toBe(1)
  const toUser = await count(() => mint(`email:${crypto.randomUUID()}@example.com:${chain}`))
  print('accept a mint, to a new user', toUser)
  expect(toUser.statements.length, toUser.statements.join('\n')).toBeLessThanOrEqual(13)
})

test('default: a sale, from the orders to the tokens', async () => {
  const buyers = await Promise.all(Array.from({ length: 8 }, () => world.createPayer()))
  await service.jobs.start({ ...createHandlers(service.deps) })
  const sale = await count(async () => {
    const created = await Promise.all(buyers.map(({ address }) => buy(address)))
    await Promise.all(
      created.map(({ order }, at) => buyers[at]?.pay(order.payment.preparation?.serializedTransaction ?? '')),
    )
    const port = service.deps.chains.get(chain)
    if (!port) throw new Error('the chain is not enabled')
    await lookForPayments(service.deps, port, defaultWatchOptions)
    const completed = async () => {
      const { rows } = await database.executeSql("select 1 from orders where phase = 'completed' -- test")
      return rows.length
    }
    await expect.poll(completed).toBe(buyers.length)
  })
  print('whole sale, per order', sale, buyers.length)
  // How many mints share a batch depends on the machine, and how often a receipt is asked for too.
  expect(sale.statements.length / buyers.length, sale.statements.join('\n')).toBeLessThanOrEqual(32)
  const calls = sale.nodeCalls.filter((method) => method !== 'eth_getTransactionReceipt' && !isShared(method))
  expect(calls.length / buyers.length, calls.join()).toBeLessThanOrEqual(16)
  // Payment, tokens and delivery are each written for several orders at once.
  const writes = sale.statements.filter((text) => text.startsWith('update "orders"'))
  console.info(`orders written: ${writes.length} statements for ${buyers.length} orders`)
  expect(writes.length).toBeLessThan(2 * buyers.length)
  await service.jobs.stop()
})

test('behavior: payments that are found together are recorded with the statements of one', async () => {
  const port = service.deps.chains.get(chain)
  if (!port) throw new Error('the chain is not enabled')
  const sell = async (number: number): Promise<Cost> => {
    const payers = await Promise.all(Array.from({ length: number }, () => world.createPayer()))
    const created = await Promise.all(payers.map(({ address }) => buy(address)))
    for (const [at, { order }] of created.entries())
      await payers[at]?.pay(order.payment.preparation?.serializedTransaction ?? '')
    return count(() => lookForPayments(service.deps, port, defaultWatchOptions))
  }
  const one = await sell(1)
  const many = await sell(6)
  print('record payments', many, 6)
  expect(many.statements.length, many.statements.join('\n')).toBe(one.statements.length)
  expect(many.statements.filter((text) => text.startsWith('update "orders"'))).toHaveLength(1)
})
