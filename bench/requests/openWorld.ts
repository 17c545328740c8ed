import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findBrowser } from '../../scripts/browser.mjs'
import { createClient, createOrder } from '../../src/api/index.js'
import { createShop, type Shop } from '../../test/helpers/createShop.js'
import { bundlePage } from '../lib/bundlePage.mjs'
import { servePage } from '../lib/servePage.mjs'
import { type Exchange, meterServer } from './meter.js'

const readyWei = 10n ** 18n

/** A door to the service with a meter in it. */
type Door = { baseUrl: string; exchanges: readonly Exchange[]; close(): void }

/**
 * Opens a door to the service, whose answers tell the time of the service's own clock.
 *
 * @param hasEtags - Without them every answer is whole, and no cache of the browser's has one to ask with.
 */
const openDoor = async ({ service }: Shop, hasEtags: boolean): Promise<Door> => {
  const server = createAdaptorServer({
    fetch: async (request: Request) => {
      const response = await service.app.fetch(request)
      response.headers.set('date', new Date(service.deps.now()).toUTCString())
      if (!hasEtags) {
        response.headers.delete('etag')
        response.headers.set('cache-control', 'no-store')
      }
      return response
    },
  }) as Server
  const exchanges = meterServer(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    exchanges,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The service on a real chain, one door for Kassa and one for its peer, and a browser. */
export const openWorld = async () => {
  const shop = await createShop()
  const [kassa, peer] = await Promise.all([openDoor(shop, true), openDoor(shop, false)])
  const site = await servePage(await bundlePage(new URL('./page.tsx', import.meta.url)))
  const browser: Browser = await chromium.launch(findBrowser())
  const merchant = createClient({ ...shop.address, apiKey: shop.address.serverKey })

  return {
    shop,
    browser,
    kassa,
    peer,
    /** Creates an order, as a merchant's server does, for a buyer with a key and the money. */
    sell: async ({ isPayerKnown = true } = {}) => {
      const privateKey = generatePrivateKey()
      const { address } = privateKeyToAccount(privateKey)
      await shop.world.client.setBalance({ address, value: readyWei })
      const { order, clientSecret } = await createOrder(merchant, {
        body: {
          recipient: { walletAddress: address },
          payment: {
            method: 'base-sepolia',
            currency: 'eth',
            ...(isPayerKnown && { payerAddress: address }),
          },
          lineItems: { collectionLocator: 'kassa:dunes' },
        },
      })
      return { orderId: order.orderId, clientSecret, privateKey }
    },
    /** Opens an empty page at the shop's own origin, in a browser profile of its own. */
    openPage: async (prepare: (context: BrowserContext) => Promise<void> = async () => {}): Promise<Page> => {
      const context = await browser.newContext()
      await prepare(context)
      const page = await context.newPage()
      await page.goto(site.url)
      await page.waitForFunction(() => 'bench' in window)
      return page
    },
    close: async (): Promise<void> => {
      await browser.close()
      for (const each of [kassa, peer, site]) each.close()
      await shop.close()
    },
  }
}

/** Where the pages of this bench live. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** An order, the secret that opens it, and the key of who pays. */
export type Sale = Awaited<ReturnType<World['sell']>>
