import { beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  createOrder,
  editOrder,
  getOrder,
  getOrderIfChanged,
  listPaymentOptions,
  refreshOrder,
  reportPayment,
} from '../../src/api/index.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'
import { failureOf } from '../helpers/failureOf.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
let buyer: Buyer

beforeAll(async () => {
  buyer = await createBuyer(shop.address)
})

const merchant = () => createClient({ ...shop.address, apiKey: shop.address.serverKey })

/** A client whose every request gets one answer. */
const answering = (answer: () => Promise<Response>) => createClient({ ...shop.address, fetch: answer })

describe('createOrder', () => {
  test('default', async () => {
    const { clientSecret, order } = await createOrder(merchant(), { body: buyer.body })
    expect(clientSecret).toMatch(/^cs_/)
    expect(order).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment', method: 'base-sepolia' },
    })
  })

  test('parameters: idempotencyKey', async () => {
    const idempotencyKey = crypto.randomUUID()
    const [one, two] = await Promise.all([
      createOrder(merchant(), { body: buyer.body, idempotencyKey }),
      createOrder(merchant(), { body: buyer.body, idempotencyKey }),
    ])
    expect(two).toEqual(one)
  })

  test('behavior: an internationalised domain is answered in Punycode', async () => {
    const body = { ...buyer.body, recipient: { email: 'ada@müller.example' } }
    const { order } = await createOrder(merchant(), { body })
    expect(order.lineItems[0]?.delivery.recipient?.email).toBe('ada@xn--mller-kva.example')
  })

  test('error: api.unauthorized', async () => {
    const client = createClient({ ...shop.address, apiKey: 'sk_staging_nobody' })
    expect((await failureOf(createOrder(client, { body: buyer.body }))).code).toBe('api.unauthorized')
  })
})

describe('getOrder', () => {
  test('default', async () => {
    expect((await getOrder(buyer.client, buyer.parameters)).orderId).toBe(buyer.order.orderId)
  })

  test('behavior: nothing changed, nothing sent', async () => {
    const first = await getOrderIfChanged(buyer.client, buyer.parameters)
    if (first.isUnchanged) throw new Error('nothing was known before')
    expect(await getOrderIfChanged(buyer.client, { ...buyer.parameters, etag: first.etag })).toEqual({
      isUnchanged: true,
    })
  })

  test('behavior: an abort rejects with its own reason', async () => {
    const reason = new Error('the page was left')
    const signal = AbortSignal.abort(reason)
    await expect(getOrder(buyer.client, { ...buyer.parameters, signal })).rejects.toBe(reason)
  })

  test('error: api.not-found', async () => {
    const call = getOrder(merchant(), { orderId: crypto.randomUUID() })
    expect(await failureOf(call)).toMatchObject({ code: 'api.not-found', retryable: false })
  })

  test('error: api.rate-limited says when to come back', async () => {
    const client = answering(async () =>
      Response.json({ error: true, message: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } }),
    )
    const error = await failureOf(getOrder(client, buyer.parameters))
    expect(error).toMatchObject({
      code: 'api.rate-limited',
      retryable: true,
      context: { retryAfterMs: 7_000 },
    })
  })

  test('error: api.timeout', async () => {
    const client = createClient({
      ...shop.address,
      timeoutMs: 20,
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    })
    expect((await failureOf(getOrder(client, buyer.parameters))).code).toBe('api.timeout')
  })

  test('error: api.invalid-answer for a page that is no service', async () => {
    const client = answering(async () => new Response('<html>', { status: 200 }))
    expect((await failureOf(getOrder(client, buyer.parameters))).code).toBe('api.invalid-answer')
  })

  test('error: a failure never tells the secret', async () => {
    const client = answering(async () => Promise.reject(new TypeError('fetch failed')))
    const error = await failureOf(getOrder(client, buyer.parameters))
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(buyer.clientSecret)
  })
})

describe('editOrder', () => {
  test('default', async () => {
    const body = { payment: { ...buyer.body.payment, currency: 'usdc' } }
    const order = await editOrder(buyer.client, { ...buyer.parameters, body })
    expect(order).toMatchObject({ quote: { totalPrice: { amount: '30', currency: 'usdc' } } })
  })
})

describe('refreshOrder', () => {
  test('default', async () => {
    expect((await refreshOrder(buyer.client, buyer.parameters)).quote.status).toBe('valid')
  })
})

describe('listPaymentOptions', () => {
  test('default', async () => {
    const options = await listPaymentOptions(buyer.client, buyer.parameters)
    const known = options.filter(({ chain }) => chain === 'base-sepolia')
    expect(known.map(({ currency, sufficient }) => [currency, sufficient])).toEqual([
      ['eth', true],
      ['usdc', false],
      ['usdxm', false],
    ])
  })

  test('parameters: payerAddress', async () => {
    const payerAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
    const [first] = await listPaymentOptions(buyer.client, { ...buyer.parameters, payerAddress })
    expect(first).toMatchObject({ balance: '0', sufficient: false })
  })

  test('error: api.bad-request, naming payerAddress', async () => {
    const asked = listPaymentOptions(buyer.client, { ...buyer.parameters, payerAddress: '0x12' })
    const { code, message } = await failureOf(asked)
    expect([code, message]).toEqual(['api.bad-request', expect.stringContaining('payerAddress: ')])
  })
})

describe('reportPayment', () => {
  test('behavior: a transaction that is none of this order changes nothing', async () => {
    const before = await getOrder(buyer.client, buyer.parameters)
    expect(await reportPayment(buyer.client, { ...buyer.parameters, txId: `0x${'ab'.repeat(32)}` })).toEqual(
      before,
    )
  })
})
