import { type Client, createClient } from 'kassa/api'
import { CreateOrderAnswer } from 'kassa/schema'
import * as z from 'zod/mini'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { createFakeChain } from './createFakeChain.js'
import { createTestService, type TestService, type TestServiceOptions } from './createTestService.js'

export const testPayer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A client's body that buys the test shop's only item. */
export const orderBody = {
  recipient: { walletAddress: testPayer },
  payment: { method: 'base-sepolia', currency: 'eth', payerAddress: testPayer },
  lineItems: { collectionLocator: 'kassa:prints' },
}

export type Shop = TestService & {
  /** A client of `kassa/api` with the server key. */
  client: Client
  /** Sends a request as JSON. `key` is the server key by default, and may be another or none. */
  send(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; key?: string | null },
  ): Promise<Response>
  /** Creates an order and returns it with its client secret. */
  createOrder(): Promise<{ orderId: string; clientSecret: string; path: string }>
}

export const ordersPath = '/api/2022-06-09/orders'

/** The service with one collection for sale, on a chain in memory. */
export const createShop = async (options: TestServiceOptions = {}): Promise<Shop> => {
  let service: TestService | undefined
  const chain = createFakeChain({ now: () => service?.deps.now() ?? Date.now() })
  service = await createTestService({ chains: [chain.port], ...options })
  const { app, deps, projectId, serverKey } = service
  await deps.db.transaction((tx) =>
    insertCollection(
      tx,
      {
        projectId,
        id: 'prints',
        chain: 'base-sepolia',
        name: 'Prints',
        description: 'A print',
        imageUrl: 'ipfs://print',
        symbol: 'PRINT',
        payments: { price: '0.01', currency: 'eth' },
      },
      deps.now(),
    ),
  )
  const send: Shop['send'] = async (method, path, { body, headers, key = serverKey } = {}) =>
    app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    ...service,
    client: createClient({
      baseUrl: 'http://localhost/api',
      apiKey: serverKey,
      fetch: async (input, init) => app.request(String(input), init),
    }),
    send,
    createOrder: async () => {
      const response = await send('POST', ordersPath, { body: orderBody })
      const { clientSecret, order } = z.parse(CreateOrderAnswer, await response.json())
      return { clientSecret, orderId: order.orderId, path: `${ordersPath}/${order.orderId}` }
    },
  }
}
