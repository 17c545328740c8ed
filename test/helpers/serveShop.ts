import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { TestProject } from 'vitest/node'
import './plainStacks.js'
import { readOrder } from '../../service/src/sale/orders/store.js'
import { updateOrder } from '../../service/src/sale/orders/updateOrder.js'
import type { ShopAddress } from './createBuyer.js'
import { createShop, type Shop } from './createShop.js'

declare module 'vitest' {
  interface ProvidedContext {
    shop: ShopAddress
  }
}

/** Ends an order's quote now, as if payments had been looked for up to its end. The other orders keep theirs. */
const endQuote = async ({ service: { deps } }: Shop, orderId: string): Promise<void> => {
  const endMs = (await readOrder(deps.db, orderId))?.order.quote.expiresAtMs ?? 0
  const event = { type: 'time-passed', searchedUntilMs: endMs + 1 } as const
  await deps.db.transaction((tx) => updateOrder({ ...deps, now: () => endMs }, tx, orderId, event))
}

/** Serves one shop to every test that runs in a browser's environment, where the service itself cannot live. */
export default async (project: TestProject) => {
  const shop = await createShop()
  const answer = async (request: Request): Promise<Response> => {
    const [, orderId] = /\/test\/endQuote\/(.+)$/.exec(request.url) ?? []
    if (orderId === undefined) return shop.service.app.fetch(request)
    await endQuote(shop, orderId)
    return new Response(null, { status: 204, headers: { 'access-control-allow-origin': '*' } })
  }
  const server = createServer(getRequestListener(answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { rpcUrl, serverKey, rules } = shop.address
  const baseUrl = `http://127.0.0.1:${port}/api`
  project.provide('shop', { rpcUrl, serverKey, rules, baseUrl })
  return async () => {
    server.close()
    // The tests' browsers keep theirs open for the next request.
    server.closeAllConnections()
    await shop.close()
  }
}
