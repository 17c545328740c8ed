import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { TestProject } from 'vitest/node'
import type { ShopAddress } from './createBuyer.js'
import { createShop } from './createShop.js'

declare module 'vitest' {
  interface ProvidedContext {
    shop: ShopAddress
  }
}

/** Serves one shop to every test that runs in a browser's environment, where the service itself cannot live. */
export default async (project: TestProject) => {
  const shop = await createShop()
  const server = createAdaptorServer({ fetch: shop.service.app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { rpcUrl, serverKey, rules } = shop.address
  project.provide('shop', { rpcUrl, serverKey, rules, baseUrl: `http://127.0.0.1:${port}/api` })
  return async () => {
    server.close()
    await shop.close()
  }
}
