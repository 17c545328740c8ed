import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { EdgeVM } from '@edge-runtime/vm'
import { createAdaptorServer } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'
import { createCheckoutHandler } from 'kassa/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, createOrder, getOrder } from '../../src/api/index.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { root } from '../helpers/sources.js'
import { useShop } from '../helpers/useShop.js'
import { cartBody, createDraft } from './checkoutShop.js'

const shop = useShop()
let stop: () => void
let baseUrl: string

beforeAll(async () => {
  const server = createAdaptorServer({ fetch: shop.service.app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  baseUrl = `http://127.0.0.1:${port}/api`
  stop = () => server.close()
})
afterAll(() => stop())

const open = () =>
  createCheckoutHandler({
    baseUrl,
    apiKey: shop.address.serverKey,
    session: 'cookie',
    createOrder: createDraft,
  })

/** Buys through a handler, as a browser would. */
const order = async (handle: (request: Request) => Promise<Response>, mount: string): Promise<string> => {
  const { fetch } = createShopBrowser(handle)
  const client = createClient({ baseUrl: mount, fetch })
  const created = await createOrder(client, { body: cartBody, idempotencyKey: crypto.randomUUID() })
  const { orderId } = created.order
  return (await getOrder(client, { orderId })).orderId === orderId ? created.order.phase : 'another order'
}

test('behavior: it is mounted in Hono', async () => {
  const handler = open()
  const app = new Hono().all('/shop/checkout/*', (c) => handler(c.req.raw))
  expect(await order(async (request) => app.fetch(request), '/shop/checkout')).toBe('payment')
})

test('behavior: it is a route of Next.js, one function for each method', async () => {
  const handler = open()
  const route: Record<string, (request: Request) => Promise<Response>> = {
    GET: handler,
    PATCH: handler,
    POST: handler,
  }
  const serve = async (request: Request) =>
    (await route[request.method]?.(request)) ?? new Response(null, { status: 405 })
  expect(await order(serve, '/api/checkout')).toBe('payment')
})

test('behavior: it runs at the edge, with nothing but what the web has', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createCheckoutHandler, orderCookie, refuseCart, verifyWebhook } from 'kassa/server'
        globalThis.open = (baseUrl, apiKey) => createCheckoutHandler({
          baseUrl, apiKey, session: 'cookie',
          createOrder: (cart) => {
            if (cart.edition !== 'dunes') throw refuseCart('This is not on sale.')
            return { lineItems: { collectionLocator: 'kassa:dunes' } }
          },
        })
        globalThis.others = [orderCookie, verifyWebhook]
      `,
      resolveDir: root,
    },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    conditions: ['@kassa/source'],
    absWorkingDir: root,
    outfile: join(root, '.kassa/edge.js'),
    write: false,
    logLevel: 'silent',
  })
  const edge = new EdgeVM({ initialCode: outputFiles[0]?.text ?? '' })
  Object.assign(edge.context, { address: [baseUrl, shop.address.serverKey] })
  edge.evaluate('globalThis.handle = open(...address)')
  const serve = async (request: Request): Promise<Response> => {
    const { method, url } = request
    const asked = { method, url, headers: [...request.headers], body: await request.text() }
    Object.assign(edge.context, { asked: JSON.stringify(asked) })
    const answered: string = await edge.evaluate(`(async () => {
      const { url, method, headers, body } = JSON.parse(asked)
      const response = await handle(new Request(url, { method, headers, ...(body && { body }) }))
      return JSON.stringify([response.status, [...response.headers], await response.text()])
    })()`)
    const [status, headers, body] = JSON.parse(answered)
    return new Response(body || null, { status, headers })
  }
  expect(await order(serve, '/api/checkout')).toBe('payment')
  const { fetch } = createShopBrowser(serve)
  const refused = createOrder(createClient({ baseUrl: '/x', fetch }), { body: { ...cartBody, cart: {} } })
  await expect(refused).rejects.toMatchObject({ code: 'api.bad-request' })
})
