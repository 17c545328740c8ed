import fc from 'fast-check'
import { createCheckoutHandler } from 'kassa/server'
import { expect, test } from 'vitest'
import { cartBody } from './checkoutShop.js'

type Sent = { path: string; method: string; headers: Headers; body: string | undefined }

const orderId = '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e'

/** A handler whose shop sells one thing for whatever cart it is shown, and what reaches the service through it. */
const open = (session: 'secret' | 'cookie') => {
  const sent: Sent[] = []
  const told: unknown[] = []
  const handle = createCheckoutHandler({
    baseUrl: 'http://service.test/api',
    apiKey: 'sk_staging_x',
    session,
    createOrder: () => ({ lineItems: { collectionLocator: 'kassa:dunes' }, metadata: { shelf: 'A' } }),
    onError: (error) => void told.push(error),
    fetch: async (input, init) => {
      const { method = 'GET', headers, body } = init ?? {}
      const path = String(input).replace('http://service.test/api', '')
      sent.push({ path, method, headers: new Headers(headers), body: body ? String(body) : undefined })
      return Response.json({ error: true, message: 'payment.method: expected a chain' }, { status: 400 })
    },
  })
  return { handle, sent, told }
}

const field = fc.constantFrom(
  'cart',
  'payment',
  'recipient',
  'locale',
  'lineItems',
  'metadata',
  'price',
  '__proto__',
  'constructor',
  'toString',
)
const spoiledBody = fc
  .tuple(fc.dictionary(field, fc.jsonValue(), { maxKeys: 4 }), fc.subarray(Object.keys(cartBody)))
  .map(([hostile, kept]) => {
    const good = Object.entries(cartBody).filter(([name]) => kept.includes(name))
    // By entries, so that `__proto__` is a field like any other.
    const entries = [...good, ...Object.entries(hostile)]
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
  })

test.each(['secret', 'cookie'] as const)(
  'behavior: whatever a browser sends, line items and metadata are the shop’s (session: %s)',
  async (session) => {
    const { handle, sent, told } = open(session)
    let passed = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(spoiledBody, fc.json(), fc.string(), fc.constant(JSON.stringify(cartBody))),
        async (body) => {
          sent.length = 0
          const response = await handle(
            new Request('https://shop.example/2022-06-09/orders', {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
              body,
            }),
          )
          expect(response.status).toBe(400)
          expect(await response.json()).toEqual({ error: true, message: expect.any(String) })
          for (const { body: forwarded = '' } of sent) {
            passed += 1
            const { lineItems, metadata, ...said } = JSON.parse(forwarded)
            expect(lineItems).toEqual([{ collectionLocator: 'kassa:dunes' }])
            expect(metadata).toEqual({ shelf: 'A' })
            expect(Object.keys(said).filter((name) => !/^(payment|recipient|locale)$/.test(name))).toEqual([])
          }
        },
      ),
      { numRuns: 1_500 },
    )
    expect(passed).toBeGreaterThan(0)
    expect(told).toEqual([])
  },
)

const segment = fc.oneof(
  fc.constantFrom('2022-06-09', 'orders', orderId, 'refresh', 'payment', '..', '%2e%2e', 'collections', ''),
  fc.string({ maxLength: 12 }).map((text) => encodeURIComponent(text)),
)

const anyPath = fc.oneof(
  fc.array(segment, { maxLength: 5 }),
  fc.array(segment, { maxLength: 2 }).map((rest) => ['2022-06-09', 'orders', orderId, ...rest]),
  fc
    .constantFrom([], ['refresh'], ['payment'], ['authorizations'])
    .map((rest) => ['2022-06-09', 'orders', orderId, ...rest]),
)

test('behavior: whatever the path, only the calls on one order reach the service, and never with the key', async () => {
  const { handle, sent } = open('secret')
  const allowed = new RegExp(`^/2022-06-09/orders/${orderId}(/refresh|/payment|/authorizations)?$`)
  let passed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'HEAD'),
      anyPath,
      async (method, segments) => {
        sent.length = 0
        const path = segments.join('/')
        const body =
          method === 'GET' || method === 'HEAD' ? {} : { body: '{"type":"crypto-tx-id","txId":"0x1"}' }
        const response = await handle(
          new Request(`https://shop.example/api/checkout/${path}`, {
            method,
            headers: {
              'content-type': 'application/json',
              'sec-fetch-site': 'same-origin',
              authorization: 'cs_x',
            },
            ...body,
          }),
        )
        expect([400, 404]).toContain(response.status)
        for (const { path: asked, headers } of sent) {
          passed += 1
          expect(asked).toMatch(allowed)
          expect(headers.get('x-api-key')).toBe(null)
        }
      },
    ),
    { numRuns: 1_500 },
  )
  expect(passed).toBeGreaterThan(0)
})
