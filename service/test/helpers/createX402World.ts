import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { serve } from '@hono/node-server'
import { createClient, createOrder } from 'kassa/api'
import type { Order } from 'kassa/schema'
import { Order as OrderReader } from 'kassa/schema'
import type { LocalAccount } from 'viem'
import * as z from 'zod/mini'
import type { ChainPort } from '#base/ports/chain.js'
import { createHandlers } from '#entry/createHandlers.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { createSignedWorld } from './createSignedWorld.js'
import { createTestService } from './createTestService.js'
import { testConfig } from './testConfig.js'

/** The price of one token. Clients of x402 pay up to a dollar unless they are told otherwise. @units base units of USDC */
export const printUnits = 1_000_000n

/** Finds a free port: the service names its own URL before it listens. */
const findPort = async (): Promise<number> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A relay before the service that drops what a test says. */
const startDropping = async (target: number) => {
  const state = { dropAnswers: 0 }
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    let isPayment = false
    client.on('data', (chunk) => {
      isPayment ||= /payment-signature:/i.test(chunk.toString('latin1'))
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (isPayment && state.dropAnswers > 0) {
        state.dropAnswers--
        client.destroy()
        upstream.destroy()
        return
      }
      client.write(chunk)
    })
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { state, port, close: () => void server.close() }
}

/** The whole service over HTTP on a real chain, whose buyers hold USDC and no coins. */
export const createX402World = async () => {
  const world = await createSignedWorld()
  const port = await findPort()
  let watcher: PaymentWatcher | undefined
  const chain: ChainPort = { ...world.port, estimateRefundFee: async () => 0n }
  const service = await createTestService({
    chains: [chain],
    database: world.database,
    config: {
      publicUrl: `http://127.0.0.1:${port}`,
      currencies: ['eth', 'usdc', 'usdxm', 'usdt'],
      gasless: { ...(testConfig.gasless ?? failNoGasless()), maxFeeBasisPoints: 10_000 },
    },
    handlers: (deps) => ({
      ...createHandlers(deps),
      'payments.look': async (data) => watcher?.look(data),
    }),
  })
  const { deps, app, projectId, serverKey } = service
  watcher = watchPayments(deps, { tickMs: 20 })
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const relay = await startDropping(port)
  const addCollection = (id: string, change: { supplyLimit?: number; price?: string } = {}) =>
    deps.db.transaction((tx) =>
      insertCollection(
        tx,
        {
          projectId,
          id,
          chain: 'base-sepolia',
          name: id,
          description: 'A print',
          imageUrl: 'ipfs://print',
          symbol: 'PRINT',
          payments: { price: change.price ?? '1', currency: 'usdc' },
          ...(change.supplyLimit !== undefined && { supplyLimit: change.supplyLimit }),
        },
        deps.now(),
      ),
    )
  await addCollection('prints')
  const url = `http://127.0.0.1:${port}`
  const client = createClient({ baseUrl: `${url}/api`, apiKey: serverKey })
  const waitFor = async (orderId: string, phase: Order['phase']): Promise<Order> => {
    for (;;) {
      const response = await fetch(`${url}/api/2022-06-09/orders/${orderId}`, {
        headers: { 'x-api-key': serverKey },
      })
      const order = z.parse(OrderReader, await response.json())
      if (order.phase === phase) return order
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    ...world,
    service,
    deps,
    url,
    relay,
    addCollection,
    collectionUrl: (id = 'prints') => `${url}/api/x402/collections/${id}`,
    /** Creates an order for a wallet that names no payer, and returns it with its URL of x402. */
    createOrder: async (recipient: string, currency = 'usdc') => {
      const { order, clientSecret } = await createOrder(client, {
        body: {
          recipient: { walletAddress: recipient },
          payment: { method: 'base-sepolia', currency },
          lineItems: { collectionLocator: 'kassa:prints' },
        },
      })
      return { order, clientSecret, x402Url: String(order.payment.x402Url) }
    },
    waitFor,
    /** Creates a buyer with USDC and no coins. */
    createBuyer: async (units = 10n * printUnits): Promise<LocalAccount> =>
      (await world.createSigner(['usdc'], units)).account,
    differing: async () => (await getLedger(deps)).differing,
    close: async () => {
      await watcher?.stop()
      relay.close()
      server.close()
      await service.close()
      await world.close()
    },
  }
}

const failNoGasless = (): never => {
  throw new Error('the test settings have no gasless payments')
}
