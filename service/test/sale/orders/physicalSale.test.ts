import { CreateOrderAnswer, members, type WebhookEventType } from 'kassa/schema'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createSmtpMailer } from '#adapters/mail/createSmtpMailer.js'
import { createHandlers } from '#entry/createHandlers.js'
import { type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createWebhookWorld, type WebhookWorld } from '../../helpers/createWebhookWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startMailServer } from '../../helpers/startMailServer.js'

const physicalAddress = {
  name: 'Ada Lovelace',
  line1: 'Weg 1',
  city: 'Wien',
  postalCode: '1010',
  country: 'AT',
}
const payerAddress = '0x00000000000000000000000000000000000000aa'
const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'grace@example.com' }

let world: WebhookWorld
let chain: FakeChain
let watcher: PaymentWatcher | undefined
const mailServer = openBeforeAll(startMailServer)
beforeAll(async () => {
  const mailer = createSmtpMailer({ url: mailServer.url, from: 'shop@example.com' })
  chain = createFakeChain({ now: Date.now })
  world = await createWebhookWorld({
    chains: [chain.port],
    config: { shippingUsd: '6' },
    handlers: (deps) => ({
      ...createHandlers({ ...deps, mailer }),
      'payments.look': async (data) => watcher?.look(data),
    }),
  })
  watcher = watchPayments(world.deps, { tickMs: 10 })
})
afterAll(async () => {
  await watcher?.stop()
  await world.close()
})

const call = async (method: string, path: string, body: unknown, clientSecret?: string): Promise<unknown> => {
  const credential = clientSecret ? { authorization: clientSecret } : { 'x-api-key': world.serverKey }
  const response = await world.app.request(`/api/2022-06-09${path}`, {
    method,
    headers: { ...credential, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  return answer
}

test('default: a physical sale, from the address to the receipt', async () => {
  const hook = await world.addEndpoint({
    eventTypes: members.webhookEventTypes as readonly WebhookEventType[],
  })
  const requires = ['physical-address', 'receipt-email']
  await call('PUT', '/collections/print', {
    chain: 'base-sepolia',
    metadata: { name: 'Print' },
    payments: { price: '0.01', currency: 'eth', requires },
  })
  const lineItems = { collectionLocator: 'kassa:print' }
  const recipient = { email: 'ada@example.com' }
  const { clientSecret, order } = z.parse(
    CreateOrderAnswer,
    await call('POST', '/orders', {
      recipient,
      payment,
      lineItems,
      gift: { giverName: 'Grace', note: 'Enjoy' },
    }),
  )
  expect(order.quote.status).toBe('requires-physical-address')
  const path = `/orders/${order.orderId}`
  const edited = await call('PATCH', path, { recipient: { ...recipient, physicalAddress } }, clientSecret)
  expect(edited).toMatchObject({
    quote: { totalPrice: { amount: '0.012' } },
    lineItems: [{ quote: { charges: { shipping: { amount: '0.002' } } } }],
    payment: { status: 'awaiting-payment' },
  })
  expect(JSON.stringify(edited)).not.toMatch(/Weg 1|grace@|Enjoy/)
  const { txId } = chain.pay({ orderId: order.orderId, currency: 'eth', units: 12n * 10n ** 15n })

  const eventOf = (type: string) => {
    const bodies = hook.received.map(({ body, headers }) => new Webhook(hook.secret).verify(body, headers))
    return bodies.find((event) => z.parse(z.looseObject({ type: z.string() }), event).type === type)
  }
  for (const type of ['orders.payment.succeeded', 'orders.delivery.completed']) {
    await expect
      .poll(() => eventOf(type))
      .toMatchObject({
        data: {
          lineItems: [{ delivery: { recipient: { ...recipient, physicalAddress } } }],
          payment: { receiptEmail: 'grace@example.com' },
          gift: { giverName: 'Grace', note: 'Enjoy' },
        },
      })
  }
  await expect.poll(() => mailServer.received.length).toBe(2)
  const bodyTo = (to: string) =>
    mailServer.received.find((mail) => mail.to.includes(to))?.message.bodies.get('text/plain')
  const receipt = bodyTo('grace@example.com') ?? ''
  for (const words of [
    'Print: 0.01 ETH',
    'Shipping: 0.002 ETH',
    'Total: 0.012 ETH',
    `Transaction: ${txId}`,
    `Order: ${order.orderId}`,
  ]) {
    expect(receipt).toContain(words)
  }
  // A client secret may change the e-mail address, and is not shown where the goods go.
  expect(receipt).not.toMatch(/Lovelace|Weg 1|Wien/)
  const delivery = bodyTo('ada@example.com') ?? ''
  expect(delivery).toContain('A gift from Grace.')
  expect(delivery).toContain('“Enjoy”')
  expect(delivery).not.toContain('grace@example.com')
})

test('behavior: a client key creates an order and cannot read the fields for the merchant alone', async () => {
  await call('PUT', '/collections/poster', {
    chain: 'base-sepolia',
    metadata: { name: 'Poster' },
    payments: { price: '0.01', currency: 'eth' },
  })
  const idempotencyKey = '5b0b8f0e-9c55-4f0b-9b57-7f5e2f4f9a10'
  const create = async (apiKey: string) => {
    const response = await world.app.request('/api/2022-06-09/orders', {
      method: 'POST',
      headers: {
        'x-api-key': apiKey,
        'x-idempotency-key': idempotencyKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        recipient: { email: 'ada@example.com', physicalAddress },
        payment,
        lineItems: { collectionLocator: 'kassa:poster' },
        gift: { note: 'Enjoy' },
      }),
    })
    expect(response.status).toBe(201)
    return response.text()
  }
  const secretWords = /Weg 1|grace@|Enjoy/
  // The server key comes first, under the same idempotency key, so that a reply shared between keys would
  // show.
  expect(await create(world.serverKey)).toMatch(secretWords)
  const first = await create(world.clientKey)
  const replayed = await create(world.clientKey)
  expect(replayed).toBe(first)
  expect(first).not.toMatch(secretWords)

  const { order, clientSecret } = z.parse(CreateOrderAnswer, JSON.parse(first))
  const path = `/orders/${order.orderId}`
  const byServer = JSON.stringify(await call('GET', path, undefined))
  const bySecret = JSON.stringify(await call('GET', path, undefined, clientSecret))
  expect(byServer).toMatch(secretWords)
  expect(bySecret).toContain(order.orderId)
  expect(bySecret).not.toMatch(secretWords)
  expect(await call('GET', '/orders', undefined)).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ orderId: order.orderId, gift: { note: 'Enjoy' } }),
    ]),
  })
})
