import { type CreateCheckoutHandlerParameters, createCheckoutHandler } from 'kassa/server'
import { describe, expect, test } from 'vitest'
import { createDraft } from './checkoutShop.js'

const orderId = '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e'

/** A handler before a service that answers every read alike; the cart is refused before anything is sent. */
const open = (options: Partial<CreateCheckoutHandlerParameters> = {}) =>
  createCheckoutHandler({
    baseUrl: 'http://service.test/api',
    apiKey: 'sk_staging_x',
    createOrder: createDraft,
    fetch: async () => Response.json({ orderId }),
    ...options,
  })

type Asked = { method?: string; url?: string; headers?: Record<string, string> }

const ask = (
  options: Partial<CreateCheckoutHandlerParameters>,
  { method = 'POST', url = `https://shop.example/2022-06-09/orders/${orderId}`, headers }: Asked,
) =>
  open(options)(
    new Request(method === 'POST' ? `${url}/refresh` : url, {
      method,
      headers: {
        authorization: 'cs_x',
        cookie: `__Host-kassa-order-${orderId}=cs_x; kassa-order-${orderId}=cs_x`,
        ...headers,
      },
    }),
  )

const own = { host: 'shop.example', origin: 'https://shop.example' }

describe.each(['secret', 'cookie'] as const)('session: %s', (session) => {
  test.each([
    ['a page of the shop', { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    ['a page of the shop in an older browser', own],
    [
      'a page of the shop behind a proxy',
      { host: '10.0.0.1:3000', 'x-forwarded-host': 'shop.example', origin: 'https://shop.example' },
    ],
  ])('behavior: %s passes', async (_, headers) => {
    const response = await ask({ session }, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  test.each([
    ['a foreign page', { 'sec-fetch-site': 'cross-site', origin: 'https://thief.example' }],
    ['a page beside the shop', { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' }],
    ['a foreign page that says nothing else', { 'sec-fetch-site': 'cross-site' }],
    ['a foreign page in an older browser', { host: 'shop.example', origin: 'https://thief.example' }],
    ['a page of another port', { host: 'shop.example', origin: 'https://shop.example:8443' }],
    ['a page without encryption', { host: 'shop.example', origin: 'http://shop.example' }],
    ['a page in a sandbox', { host: 'shop.example', origin: 'null' }],
    ['what no browser sends', { host: 'shop.example', origin: '::' }],
  ])('error: 403 for %s', async (_, headers) => {
    for (const method of ['POST', 'GET', 'PATCH', 'OPTIONS']) {
      const response = await ask({ session, origins: ['https://other.example'] }, { method, headers })
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBe(null)
    }
  })

  test('behavior: who says nothing may read, and act where no cookie comes along', async () => {
    expect((await ask({ session }, { method: 'GET' })).status).toBe(200)
    expect((await ask({ session }, {})).status).toBe(session === 'cookie' ? 403 : 200)
  })

  test('parameters: origins', async () => {
    const origins = ['https://pages.example', 'http://localhost:5173/']
    for (const origin of ['https://pages.example', 'http://localhost:5173']) {
      const headers = { 'sec-fetch-site': 'cross-site', origin }
      const preflight = await ask({ session, origins }, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(204)
      const { headers: answered } = preflight
      expect(answered.get('access-control-allow-methods')).toBe('GET, POST, PATCH')
      expect(answered.get('access-control-allow-headers')?.toLowerCase().split(', ').sort()).toEqual([
        'authorization',
        'content-type',
        'if-none-match',
        'last-event-id',
        'x-api-key',
        'x-idempotency-key',
      ])
      const response = await ask({ session, origins }, { headers })
      expect(response.status).toBe(200)
      for (const one of [preflight, response]) {
        expect(one.headers.get('access-control-allow-origin')).toBe(origin)
        expect(one.headers.get('access-control-allow-credentials')).toBe('true')
        expect(one.headers.get('access-control-expose-headers')).toMatch(/Date, ETag, Retry-After/)
        expect(one.headers.get('vary')).toMatch(/\bOrigin$/)
      }
      const refused = await ask(
        { session, origins },
        { headers: { ...headers, authorization: '', cookie: '' } },
      )
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
    }
    const ownPage = await ask({ session, origins }, { headers: own })
    expect(ownPage.headers.get('access-control-allow-origin')).toBe(null)
    expect(ownPage.headers.get('vary')).toMatch(/\bOrigin$/)
  })
})

test('behavior: a plain page may call a plain shop', async () => {
  const url = `http://localhost:3000/2022-06-09/orders/${orderId}`
  const headers = { host: 'localhost:3000', origin: 'http://localhost:3000' }
  expect((await ask({ session: 'cookie' }, { url, headers })).status).toBe(200)
})

test('behavior: credentials that a browser sends automatically are no secret', async () => {
  const headers = { ...own, authorization: 'Basic dXNlcjpwYXNz' }
  expect((await ask({}, { headers })).status).toBe(401)
  expect((await ask({ session: 'cookie' }, { headers })).status).toBe(200)
  expect((await ask({}, { headers: { ...own, authorization: 'Bearer cs_x' } })).status).toBe(200)
})

test.each(['*', 'null', 'shop.example', 'https://shop.example/path', 'https://u@shop.example', 'file:///'])(
  'error: config.origin-invalid for %s',
  (origin) => {
    expect(() => open({ origins: [origin] })).toThrow(
      expect.objectContaining({ code: 'config.origin-invalid' }),
    )
  },
)
