import {
  createCheckoutHandler,
  createOrder,
  editOrder,
  getOrder,
  isKassaError,
  type KassaErrorCode,
  refreshOrder,
  refuseCart,
} from 'kassa/server'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  createClient,
  getOrderIfChanged,
  listPaymentOptions,
  reportPayment,
  streamOrder,
} from '../../src/api/index.js'
import type { UnknownMember } from '../../src/schema/index.js'
import type { CreateCheckoutHandlerParameters } from '../../src/server/createCheckoutHandler.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { useShop } from '../helpers/useShop.js'
import { cartBody, createDraft } from './checkoutShop.js'

const shop = useShop()
/** What was sent to the service. */
let sent: { url: string; method: string; headers: Headers; body: unknown }[] = []
let told: unknown[] = []
beforeEach(() => {
  sent = []
  told = []
})

const open = (options: Partial<CreateCheckoutHandlerParameters> = {}) =>
  createCheckoutHandler({
    baseUrl: shop.address.baseUrl,
    apiKey: shop.address.serverKey,
    createOrder: createDraft,
    onError: (error) => void told.push(error),
    ...options,
    fetch: async (input, init) => {
      const { method = 'GET', headers, body } = init ?? {}
      sent.push({ url: String(input), method, headers: new Headers(headers), body })
      return (options.fetch ?? shop.address.fetch ?? fetch)(input, init)
    },
  })

const visit = (options: Partial<CreateCheckoutHandlerParameters> = {}) => {
  const browser = createShopBrowser(open(options))
  return { ...browser, client: createClient({ baseUrl: '/api/checkout', fetch: browser.fetch }) }
}

const post = (body: unknown, headers: Record<string, string> = {}, path = '') =>
  new Request(`https://shop.example/api/checkout/2022-06-09/orders${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const read = async (answer: Promise<Response> | Response) => {
  const response = await answer
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const codeOf = (work: Promise<unknown>): Promise<KassaErrorCode> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => (isKassaError(error) ? error.code : Promise.reject(error)),
  )

test('behavior: what the service shows to the server key alone stays on the server', async () => {
  const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
  const shown: string[] = []
  const handle = open({
    createOrder: (cart) => ({
      ...createDraft(cart),
      recipient: { email: 'ada@example.com', physicalAddress },
      gift: { note: 'Enjoy' },
    }),
    fetch: async (input, init) => {
      const response = await (shop.address.fetch ?? fetch)(input, init)
      shown.push(await response.clone().text())
      return response
    },
  })
  const body = { ...cartBody, payment: { ...cartBody.payment, receiptEmail: 'grace@example.com' } }
  const answer = await read(handle(post(body)))
  expect(answer.status).toBe(201)
  for (const word of ['Weg 1', 'grace@', 'Enjoy']) expect(shown.join()).toContain(word)
  expect(JSON.stringify(answer.body)).not.toMatch(/Weg 1|grace@|Enjoy/)
})

describe.each(['secret', 'cookie'] as const)('session: %s', (session) => {
  test('default: an order is created, read, edited, renewed and its payment reported', async () => {
    const { client, jar } = visit({ session })
    const { clientSecret, order } = await createOrder(client, { body: cartBody })
    expect(order).toMatchObject({
      metadata: { shelf: 'A' },
      quote: { totalPrice: { amount: '0.01', currency: 'eth' } },
      payment: { status: expect.stringMatching(/awaiting-payment|insufficient-funds/) },
    })
    if (session === 'cookie') expect([clientSecret, jar.size]).toEqual(['', 1])
    else expect([clientSecret.slice(0, 3), jar.size]).toEqual(['cs_', 0])
    const opened = { orderId: order.orderId, clientSecret }
    expect((await getOrder(client, opened)).orderId).toBe(order.orderId)
    const edited = await editOrder(client, { ...opened, body: { recipient: { email: 'ada@example.com' } } })
    expect(edited.lineItems[0]?.delivery.recipient?.email).toBe('ada@example.com')
    expect((await refreshOrder(client, opened)).quote.status).toBe('valid')
    const payerAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
    const [way] = await listPaymentOptions(client, { ...opened, payerAddress })
    expect(way).toMatchObject({ chain: 'base-sepolia', balance: '0', sufficient: false })
    expect((await reportPayment(client, { ...opened, txId: `0x${'ab'.repeat(32)}` })).orderId).toBe(
      order.orderId,
    )
    expect(told).toEqual([])
  })

  test('behavior: the server key creates the order, and has no part in anything else', async () => {
    const { client } = visit({ session })
    const { clientSecret, order } = await createOrder(client, { body: cartBody })
    await getOrder(client, { orderId: order.orderId, clientSecret })
    await refreshOrder(client, { orderId: order.orderId, clientSecret })
    expect(sent.map(({ headers }) => headers.get('x-api-key'))).toEqual([shop.address.serverKey, null, null])
    expect(sent.map(({ headers }) => headers.get('authorization')?.slice(0, 3))).toEqual([
      undefined,
      'cs_',
      'cs_',
    ])
  })

  test('behavior: a poll that finds nothing new has no body', async () => {
    const { client, answers } = visit({ session })
    const { clientSecret, order } = await createOrder(client, { body: { ...cartBody, payment: unfunded } })
    const opened = { orderId: order.orderId, clientSecret }
    const first = await getOrderIfChanged(client, opened)
    if (first.isUnchanged) throw new Error('nothing was known before')
    expect(await getOrderIfChanged(client, { ...opened, etag: first.etag })).toEqual({ isUnchanged: true })
    const { status, text, headers } = answers.at(-1) ?? {}
    expect([status, text]).toEqual([304, ''])
    expect(headers?.get('cache-control')).toBe('private, no-cache')
    expect(headers?.get('vary')).toBe(session === 'cookie' ? 'Cookie' : 'Authorization')
  })

  test('behavior: with a stream, a page is told of every change, until it leaves', async () => {
    const { client, answers } = visit({ session, stream: true })
    const { clientSecret, order } = await createOrder(client, { body: { ...cartBody, payment: unfunded } })
    const opened = { orderId: order.orderId, clientSecret }
    const leave = new AbortController()
    const locales: (string | undefined)[] = []
    const following = streamOrder(client, {
      ...opened,
      signal: leave.signal,
      onOrder: (state) => void locales.push(state.locale),
    }).catch((error: unknown) => error)
    await expect.poll(() => locales).toEqual(['en-US'])
    await editOrder(client, { ...opened, body: { locale: 'de-DE' } })
    await expect.poll(() => locales).toEqual(['en-US', 'de-DE'])
    const streamed = answers.find(({ path }) => path.endsWith('/events'))
    expect(streamed?.headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(sent.at(-2)?.headers.get('accept')).toBe('text/event-stream')
    leave.abort()
    await following
  })

  test('error: a stream for a page without the secret', async () => {
    const { client } = visit({ session, stream: true })
    const following = streamOrder(client, { orderId: crypto.randomUUID(), onOrder: () => undefined })
    await expect(following).rejects.toMatchObject({ code: 'api.unauthorized' })
  })

  test('behavior: without the option no stream is offered, so that a page polls', async () => {
    const { client, answers } = visit({ session })
    const { clientSecret, order } = await createOrder(client, { body: { ...cartBody, payment: unfunded } })
    const following = streamOrder(client, { orderId: order.orderId, clientSecret, onOrder: () => undefined })
    await expect(following).rejects.toMatchObject({ code: 'api.invalid-answer' })
    expect(answers.at(-1)).toMatchObject({ status: 204, text: '' })
  })

  test('behavior: of the headers of the service those that a client reads, and no others', async () => {
    const { client, answers } = visit({
      session,
      fetch: async (input, init) => {
        const response = await (shop.address.fetch ?? fetch)(input, init)
        const headers = new Headers(response.headers)
        headers.set('date', 'Thu, 01 Jan 2026 00:00:00 GMT')
        headers.set('set-cookie', 'foreign=1')
        headers.set('server', 'something')
        return new Response(await response.text(), { status: response.status, headers })
      },
    })
    const { clientSecret, order } = await createOrder(client, { body: cartBody })
    await getOrder(client, { orderId: order.orderId, clientSecret })
    // The allowance for new orders is the whole shop's.
    expect([...(answers[0]?.headers.keys() ?? [])].join()).not.toContain('ratelimit')
    const names = [...(answers.at(-1)?.headers.keys() ?? [])].sort()
    expect(names).toEqual([
      'cache-control',
      'content-type',
      'date',
      'etag',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'vary',
      'x-request-id',
    ])
    expect(answers[0]?.headers.get('set-cookie') ?? '').not.toContain('foreign')
  })

  test('error: api.unauthorized for who does not hold the secret', async () => {
    const { client } = visit({ session })
    const { order } = await createOrder(client, { body: cartBody })
    const stranger = visit({ session })
    sent = []
    expect(await codeOf(getOrder(stranger.client, { orderId: order.orderId }))).toBe('api.unauthorized')
    expect(sent).toEqual([])
    stranger.jar.set(`__Host-kassa-order-${order.orderId}`, 'cs_wrong')
    const wrong = getOrder(stranger.client, { orderId: order.orderId, clientSecret: 'cs_wrong' })
    expect(await codeOf(wrong)).toBe('api.unauthorized')
    expect(told).toEqual([])
  })

  test('behavior: a request that comes again, or twice at once, orders once', async () => {
    const one = visit({ session })
    const other = visit({ session })
    const idempotencyKey = crypto.randomUUID()
    const call = { body: cartBody, idempotencyKey }
    const [first, second] = await Promise.all([createOrder(one.client, call), createOrder(one.client, call)])
    expect(second).toEqual(first)
    // The answer was lost and with it the cookie: the key alone proves that it is the same browser.
    expect(await createOrder(other.client, call)).toEqual(first)
    expect(other.jar).toEqual(one.jar)
    const changed = createOrder(one.client, { ...call, body: { ...cartBody, recipient: undefined } })
    expect(await codeOf(changed)).toBe('api.conflict')
  })

  test('behavior: a key that a stranger could guess is refused, and none is one of the shop’s own', async () => {
    const { client } = visit({ session })
    for (const idempotencyKey of ['1', 'cart-17', 'a'.repeat(32), `${'cart-'.repeat(4)}1 2`])
      expect(await codeOf(createOrder(client, { body: cartBody, idempotencyKey }))).toBe('api.bad-request')
    expect(sent).toEqual([])
    const idempotencyKey = crypto.randomUUID()
    await createOrder(client, { body: cartBody, idempotencyKey })
    const forwarded = sent[0]?.headers.get('x-idempotency-key') ?? ''
    expect(forwarded).toMatch(/^[0-9a-f]{64}$/)
    const direct = createClient({ ...shop.address, apiKey: shop.address.serverKey })
    const body = { ...cartBody, cart: undefined, lineItems: { collectionLocator: 'kassa:dunes' } }
    const own = await createOrder(direct, { body: { ...body, metadata: { shelf: 'A' } }, idempotencyKey })
    const [, again] = [own, await createOrder(client, { body: cartBody, idempotencyKey })]
    expect(again.order.orderId).not.toBe(own.order.orderId)
  })
})

const unfunded = { method: 'base-sepolia' as const, currency: 'eth' }

describe('createOrder of the shop', () => {
  test('behavior: what it gives goes before what the browser said', async () => {
    const { client } = visit({
      createOrder: () => ({
        lineItems: [{ collectionLocator: 'kassa:dunes', callData: { quantity: 2 } }],
        payment: { currency: 'usdc' },
        recipient: { email: 'ada@example.com' },
        locale: 'de-DE',
        metadata: undefined,
      }),
    })
    const { order } = await createOrder(client, { body: { ...cartBody, locale: 'fr-FR' } })
    expect(order).toMatchObject({
      locale: 'de-DE',
      quote: { totalPrice: { amount: '60', currency: 'usdc' } },
      lineItems: [{ delivery: { recipient: { email: 'ada@example.com' } } }],
    })
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({
      payment: { ...cartBody.payment, currency: 'usdc' },
    })
  })

  test("behavior: it receives the browser's input and its request", async () => {
    const { client } = visit({
      createOrder: (cart, { request, payment, recipient, locale }) => {
        told.push({ cart, payment, recipient, locale, page: request.headers.get('origin') })
        return createDraft(cart)
      },
    })
    await createOrder(client, { body: cartBody })
    expect(told).toEqual([{ ...cartBody, locale: undefined, page: 'https://shop.example' }])
  })

  test('error: cart.refused is a sentence for the buyer', async () => {
    const refused = await read(open()(post({ ...cartBody, cart: { edition: 'moon' } })))
    expect(refused).toEqual({ status: 400, body: { error: true, message: 'This is not on sale.' } })
    expect([sent, told]).toEqual([[], []])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('database password is hunter2')), 'hunter2'],
    ['hangs', () => new Promise<never>(() => undefined), 'it took longer than 0.05 s'],
    ['returns nothing', () => undefined, 'it did not return an object'],
    ['returns a list', () => [], 'it did not return an object'],
    ['forgets the line items', () => ({ lineItem: {} }), 'lineItems: required'],
    ['has an empty order', () => ({ lineItems: [] }), 'lineItems: expected at least 1 line item'],
    [
      'names no collection',
      () => ({ lineItems: { collectionLocator: 'dunes' } }),
      'lineItems[0].collectionLocator: expected kassa:<collectionId>',
    ],
    [
      'gives a payment that is none',
      () => ({ lineItems: { collectionLocator: 'kassa:dunes' }, payment: 'eth' }),
      'payment: expected object',
    ],
    [
      'adds too much',
      () => ({
        lineItems: { collectionLocator: 'kassa:dunes' },
        metadata: { text: 'x'.repeat(17_000) },
      }),
      'metadata: expected at most 16 KiB of JSON',
    ],
  ])('error: cart.draft-invalid when it %s: no order, no detail', async (_, broken, reason) => {
    const timeoutMs = 50
    // A cast on purpose: these are the mistakes that types prevent.
    const handle = open({ createOrder: broken as never, timeoutMs })
    const { status, body } = await read(handle(post(cartBody)))
    expect(status).toBe(500)
    expect(body).toEqual({
      error: true,
      message: 'The shop could not process this request: please contact the shop',
    })
    expect(sent).toEqual([])
    expect(told).toHaveLength(1)
    expect(String(told[0])).toContain(reason)
  })

  test('error: cart.refused for more line items than an order may have: that is the cart’s doing', async () => {
    const lineItems = Array.from({ length: 51 }, () => ({ collectionLocator: 'kassa:dunes' }))
    const refused = await read(open({ createOrder: () => ({ lineItems }) })(post(cartBody)))
    expect(refused).toEqual({
      status: 400,
      body: { error: true, message: 'An order can have at most 50 different items.' },
    })
    expect([sent, told]).toEqual([[], []])
  })

  test('behavior: a missing collection is reported to the shop too', async () => {
    const { status } = await read(
      open({ createOrder: () => ({ lineItems: { collectionLocator: 'kassa:gone' } }) })(post(cartBody)),
    )
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(told).toHaveLength(1)
  })
})

describe('editOrder of the shop', () => {
  const first = { walletAddress: `0x${'11'.repeat(20)}` }

  test('behavior: it decides what of an edit reaches the service', async () => {
    const { client } = visit({
      editOrder: ({ recipient, ...edit }, { orderId, request }) => {
        told.push({ recipient, orderId, page: request.headers.get('origin') })
        if (edit.locale === 'fr-FR') throw refuseCart('We do not speak French.')
        return { ...edit, recipient: first }
      },
    })
    const { clientSecret, order } = await createOrder(client, { body: cartBody })
    const opened = { orderId: order.orderId, clientSecret }
    const elsewhere = { walletAddress: `0x${'22'.repeat(20)}` }
    await editOrder(client, { ...opened, body: { recipient: elsewhere, locale: 'de-DE' } })
    expect(JSON.parse(String(sent.at(-1)?.body))).toEqual({ recipient: first, locale: 'de-DE' })
    expect(told).toEqual([{ recipient: elsewhere, orderId: order.orderId, page: 'https://shop.example' }])
    const count = sent.length
    await expect(editOrder(client, { ...opened, body: { locale: 'fr-FR' } })).rejects.toMatchObject({
      code: 'api.bad-request',
      context: { message: 'We do not speak French.' },
    })
    expect(sent).toHaveLength(count)
  })

  test.each([
    ['throws', () => Promise.reject(new Error('database password is hunter2')), 'hunter2'],
    ['hangs', () => new Promise<never>(() => undefined), 'editOrder function cannot be used: it took'],
    ['returns nothing', () => undefined, 'body: required'],
    ['adds too much', () => ({ lineItems: [] }), 'lineItems: not a field'],
  ])('error: cart.draft-invalid when it %s: no edit, no detail', async (_, broken, reason) => {
    // A cast on purpose: these are the mistakes that types prevent.
    const handle = open({ editOrder: broken as never, timeoutMs: 50 })
    const request = new Request(`https://shop.example/2022-06-09/orders/${crypto.randomUUID()}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', authorization: 'cs_x' },
      body: '{}',
    })
    const { status, body } = await read(handle(request))
    expect([status, body.message]).toEqual([
      500,
      'The shop could not process this request: please contact the shop',
    ])
    expect(sent).toEqual([])
    expect(String(told)).toContain(reason)
  })
})

describe('what a browser may say', () => {
  test.each([
    ['lineItems', { ...cartBody, lineItems: [{ collectionLocator: 'kassa:dunes' }] }, /^lineItems: not a/],
    ['metadata', { ...cartBody, metadata: {} }, /^metadata: not a/],
    ['price', { ...cartBody, price: '0' }, /^price: not a/],
    ['no cart', { payment: cartBody.payment }, /^cart: required/],
    ['no payment', { cart: 1 }, /^payment: required/],
    ['a number for a chain', { ...cartBody, payment: { method: 1, currency: 'eth' } }, /^payment\.method: /],
    ['a bad recipient', { ...cartBody, recipient: { email: 'nobody' } }, /^recipient\.email: expected an/],
    ['a list', [], /^body: expected object/],
    ['nothing', '', /^body: /],
    ['no JSON', '{', /^body: not valid JSON/],
  ])('error: 400 for %s', async (_, body, message) => {
    const answer = await read(open()(post(body)))
    expect(answer).toEqual({ status: 400, body: { error: true, message: expect.stringMatching(message) } })
    expect([sent, told]).toEqual([[], []])
  })

  test('error: 400 for what is no text, 415 for what does not say it is JSON', async () => {
    const request = new Request('https://shop.example/2022-06-09/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'sec-fetch-site': 'same-origin' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    })
    expect((await open()(request)).status).toBe(400)
    expect((await open()(post(cartBody, { 'content-type': 'text/plain' }))).status).toBe(415)
    expect((await open()(post(cartBody, { 'content-type': 'application/jsonp' }))).status).toBe(415)
  })

  test('error: 413 over 64 KiB, whether it says so or never ends', async () => {
    expect((await open()(post({ ...cartBody, cart: 'x'.repeat(65_536) }))).status).toBe(413)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1_024).fill(0x20))
      },
    })
    const init = { method: 'POST', body: endless, duplex: 'half' }
    const request = new Request('https://shop.example/2022-06-09/orders', {
      ...init,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    expect((await open()(request)).status).toBe(413)
    expect(pulled).toBeLessThan(80)
  })

  test('error: 408 for a body that does not come', async () => {
    let isCancelled = false
    const endless = new ReadableStream({
      cancel: () => {
        isCancelled = true
      },
    })
    const init = { method: 'POST', body: endless, duplex: 'half' }
    const request = new Request('https://shop.example/2022-06-09/orders', {
      ...init,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    expect((await open({ timeoutMs: 50 })(request)).status).toBe(408)
    expect(isCancelled).toBe(true)
  })

  test('error: 400 for an edit of what only the shop may say', async () => {
    const { client, fetch } = visit({ session: 'cookie' })
    const { order } = await createOrder(client, { body: cartBody })
    const response = await fetch(`/api/checkout/2022-06-09/orders/${order.orderId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lineItems: [] }),
    })
    expect(await read(response)).toMatchObject({ status: 400, body: { message: /^lineItems/ } })
  })

  const orderId = crypto.randomUUID()
  test.each([
    ['GET', '/2022-06-09/orders'],
    ['DELETE', `/2022-06-09/orders/${orderId}`],
    ['HEAD', `/2022-06-09/orders/${orderId}`],
    ['GET', `/2022-06-09/orders/${orderId}/payment`],
    ['POST', `/2022-06-09/orders/${orderId}/refund`],
    ['POST', `/2022-06-09/orders/${orderId}/payment/x`],
    ['GET', '/2022-06-09/orders/..%2Fcollections'],
    ['GET', '/2022-06-09/orders/x'],
    ['POST', '/2022-06-09/collections'],
    ['GET', '/'],
  ])('error: 404 for %s %s', async (method, path) => {
    const headers = { 'sec-fetch-site': 'same-origin', authorization: 'cs_x' }
    const url = `https://shop.example/api/checkout${path}`
    expect((await open()(new Request(url, { method, headers }))).status).toBe(404)
    expect(sent).toEqual([])
  })
})

describe('the service', () => {
  test.each([
    ['is away', () => Promise.reject(new TypeError('fetch failed')), 503, 'api.unreachable'],
    ['fails', async () => new Response('<html>', { status: 502 }), 502, 'api.unavailable'],
    [
      'is busy',
      async () => Response.json({ error: true, message: 'try again' }, { status: 503 }),
      503,
      'api.unavailable',
    ],
  ])('error: it %s', async (_, fetch, status, code) => {
    const response = await open({ fetch })(post(cartBody))
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(told).toMatchObject([{ code }])
  })

  test('error: it does not answer in time', async () => {
    const hang: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const response = await open({ fetch: hang, timeoutMs: 50 })(post(cartBody))
    expect([response.status, response.headers.get('retry-after')]).toEqual([504, '10'])
    expect(told).toMatchObject([{ code: 'api.timeout' }])
  })

  test('behavior: the handler stops when the buyer disconnects', async () => {
    const left = new AbortController()
    let reason: unknown
    const hang: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reason = init.signal?.reason
          reject(reason)
        })
        queueMicrotask(() => left.abort('gone'))
      })
    const { status } = await open({ fetch: hang })(new Request(post(cartBody), { signal: left.signal }))
    expect(status).toBe(500)
    expect([reason, told]).toEqual(['gone', []])
  })

  test('error: it sends us elsewhere, or answers what is no order', async () => {
    const answers = [
      new Response(null, { status: 302, headers: { location: 'https://thief.example' } }),
      Response.json({ clientSecret: 'cs_x' }, { status: 201 }),
      new Response('<html>', { status: 200 }),
    ]
    for (const answer of answers) {
      const response = await open({
        fetch: async (_, init) => {
          expect(init?.redirect).toBe('manual')
          return answer
        },
      })(post(cartBody))
      expect(response.status).toBe(500)
    }
    expect(told).toMatchObject(answers.map(() => ({ code: 'api.invalid-answer' })))
  })

  test.each([
    ['sk_staging_nobody', 'api.unauthorized'],
    ['', 'config.key-invalid'],
    [undefined, 'config.key-invalid'],
    ['ck_staging_client', 'config.key-invalid'],
    ['sk_staging\nnobody', 'config.key-invalid'],
  ])('error: a key that is none (%j) is the shop’s matter', async (apiKey, code) => {
    const { status, body } = await read(open({ apiKey })(post(cartBody)))
    expect(status).toBe(500)
    expect(body.message).not.toMatch(/key|scope|API/i)
    expect(told).toMatchObject([{ code }])
    if (apiKey) expect(String(told[0])).not.toContain(apiKey)
  })
})

test('behavior: no answer, no error and no log holds the secret of a cookie', async () => {
  const { client, jar, answers } = visit({ session: 'cookie' })
  const { order } = await createOrder(client, { body: cartBody })
  const secret = [...jar.values()][0] ?? ''
  expect(secret).toMatch(/^cs_/)
  await getOrder(client, { orderId: order.orderId })
  await codeOf(
    editOrder(client, {
      orderId: order.orderId,
      body: { payment: { method: 'moon' as UnknownMember, currency: 'x' } },
    }),
  )
  const { fetch } = createShopBrowser(
    open({ session: 'cookie', fetch: () => Promise.reject(new Error('no')) }),
  )
  const headers = { cookie: `__Host-kassa-order-${order.orderId}=${secret}`, 'sec-fetch-site': 'same-origin' }
  await fetch(`/2022-06-09/orders/${order.orderId}`, { headers })
  const heard = JSON.stringify([
    answers.map(({ text, headers: of }) => [text, [...of].filter(([name]) => name !== 'set-cookie')]),
    told.map((error) => [String(error), error instanceof Error && { ...error, cause: String(error.cause) }]),
  ])
  expect(heard).not.toContain(secret)
  expect(shop.service.logged()).not.toContain(secret)
})
