import { describe, expect, test } from 'vitest'
import {
  createClient,
  createOrder,
  editOrder,
  getOrder,
  listPaymentMethods,
  refreshOrder,
} from '../../src/api/index.js'
import { checkPayment } from '../../src/chain/index.js'
import { createTestService, type TestService } from '../../src/testing/index.js'

const payerAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const payment = { method: 'base-sepolia' as const, currency: 'eth', payerAddress }

const order = async (
  { client }: TestService,
  lineItems: { collectionLocator: string; callData?: { quantity: number } }[] = [
    { collectionLocator: 'kassa:dunes-at-dusk', callData: { quantity: 2 } },
  ],
  currency = 'eth',
) => {
  const body = { recipient: { walletAddress: payerAddress }, payment: { ...payment, currency }, lineItems }
  const { order, clientSecret } = await createOrder(client, { body })
  return { order, orderId: order.orderId, clientSecret }
}

const both = [{ collectionLocator: 'kassa:dunes-at-dusk' }, { collectionLocator: 'kassa:coral-lattice' }]

test('default: an order is created, paid and delivered as its clock goes on', async () => {
  const service = createTestService()
  const { orderId, clientSecret, order: created } = await order(service)
  expect(checkPayment(created, service.rules).units).toBe(24_000_000_000_000_000n)
  const read = () => getOrder(service.client, { orderId, clientSecret })
  expect((await read()).payment.status).toBe('awaiting-payment')
  service.pay(orderId)
  expect((await read()).payment.status).toBe('in-progress')
  service.advance(1_000)
  expect(await read()).toMatchObject({ phase: 'delivery', payment: { received: { amount: '0.024' } } })
  service.advance(1_000)
  const { phase, lineItems } = await read()
  expect(phase).toBe('completed')
  expect(lineItems[0]?.delivery.tokens?.map(({ tokenId }) => tokenId)).toEqual(['1', '2'])
})

test('behavior: an order is polled, because a stream would need timers', async () => {
  const service = createTestService()
  const { orderId, clientSecret } = await order(service)
  service.refuseNext(503)
  const { length } = service.requests
  const response = await service.fetch(`${service.baseUrl}/2022-06-09/orders/${orderId}/events`)
  expect(response.status).toBe(204)
  // The question is the library's own: it is not listed, and leaves the refusal to the app's next call.
  expect(service.requests).toHaveLength(length)
  await expect(getOrder(service.client, { orderId, clientSecret })).rejects.toMatchObject({
    code: 'api.unavailable',
  })
})

test('behavior: an order can be paid in each currency of the payment methods', async () => {
  const service = createTestService()
  const methods = await listPaymentMethods(service.client)
  expect(methods.map(({ method }) => method)).toContain('base-sepolia')
  for (const { method, currencies } of methods) {
    expect(currencies.map(({ contractAddress }) => contractAddress !== undefined)).toEqual(
      currencies.map((_, at) => at > 0),
    )
    for (const { currency } of currencies) {
      const body = { payment: { method, currency }, lineItems: both[0] ?? [] }
      const { order } = await createOrder(service.client, { body })
      expect(order.payment).toMatchObject({ method, currency })
    }
  }
})

test('parameters: now', async () => {
  let nowMs = Date.parse('2026-03-02T12:00:00Z')
  const service = createTestService({ now: () => nowMs })
  const { orderId, order: created } = await order(service)
  expect(created.quote.expiresAt).toBe('2026-03-02T12:10:00.000Z')
  nowMs += 600_000
  expect(service.getOrder(orderId).quote.status).toBe('expired')
})

test('parameters: timings', async () => {
  const service = createTestService({ timings: { confirmedMs: 20_000, deliveredMs: 5_000 } })
  const { orderId } = await order(service, both)
  service.pay(orderId)
  const stateAfter = (ms: number) => {
    service.advance(ms)
    const { payment, lineItems } = service.getOrder(orderId)
    return [payment.status, ...lineItems.map(({ delivery }) => delivery.status)].join(' ')
  }
  expect(stateAfter(19_999)).toBe('in-progress awaiting-payment awaiting-payment')
  expect(stateAfter(1)).toBe('completed in-progress in-progress')
  expect(stateAfter(5_000)).toBe('completed completed in-progress')
  expect(stateAfter(5_000)).toBe('completed completed completed')
})

test('parameters: quoteTtlMs', async () => {
  const service = createTestService({ quoteTtlMs: 30_000 })
  const { orderId } = await order(service)
  service.advance(30_000)
  expect(service.getOrder(orderId)).toMatchObject({ phase: 'quote', quote: { status: 'expired' } })
})

test('parameters: collections', async () => {
  const tickets = {
    id: 'tickets',
    price: '20',
    currency: 'usdc',
    supply: 2,
    templates: { balcony: { supply: 1 } },
  }
  const service = createTestService({ collections: [tickets] })
  const of = async (collectionLocator: string, quantity = 1) =>
    (await order(service, [{ collectionLocator, callData: { quantity } }], 'usdxm')).order.lineItems[0]?.quote
  expect(await of('kassa:tickets', 2)).toMatchObject({ totalPrice: { amount: '40', currency: 'usdxm' } })
  expect(await of('kassa:tickets', 3)).toMatchObject({
    unavailabilityReason: { code: 'supply-insufficient', message: 'only 2 of tickets are left' },
  })
  expect(await of('kassa:tickets:balcony')).toMatchObject({ status: 'valid' })
  expect(await of('kassa:tickets:balcony', 2)).toMatchObject({ status: 'item-unavailable' })
})

test('parameters: collections[].requires', async () => {
  const service = createTestService({
    collections: [{ id: 'print', price: '0.01', requires: ['physical-address', 'receipt-email'] }],
  })
  const { order: created, ...access } = await order(service, [{ collectionLocator: 'kassa:print' }])
  expect(created).toMatchObject({ phase: 'quote', quote: { status: 'requires-physical-address' } })
  expect(created.quote.totalPrice).toBeUndefined()
  const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
  const recipient = { walletAddress: payerAddress, physicalAddress }
  const addressed = await editOrder(service.client, { ...access, body: { recipient } })
  expect(addressed).toMatchObject({ phase: 'payment', payment: { status: 'requires-email' } })
  const body = { payment: { ...payment, receiptEmail: 'ada@example.com' } }
  expect((await editOrder(service.client, { ...access, body })).payment.status).toBe('awaiting-payment')
})

test('parameters: baseUrl', async () => {
  const baseUrl = 'http://localhost:4000/api'
  const service = createTestService({ baseUrl: `${baseUrl}/` })
  const client = createClient({ baseUrl, fetch: service.fetch, apiKey: service.serverKey })
  const { orderId } = await order(service)
  expect((await getOrder(client, { orderId })).orderId).toBe(orderId)
  await expect(service.fetch('http://localhost:5000/api/2022-06-09/orders')).rejects.toThrow('is at http')
})

describe('what a test can make of it', () => {
  test('behavior: refuseNext refuses as often as it says, and no more', async () => {
    const service = createTestService()
    const { orderId, clientSecret } = await order(service)
    const read = () => getOrder(service.client, { orderId, clientSecret })
    service.refuseNext(503, 2)
    service.refuseNext('unreachable')
    await expect(read()).rejects.toMatchObject({ code: 'api.unavailable', context: { retryAfterMs: 1_000 } })
    await expect(read()).rejects.toMatchObject({ code: 'api.unavailable' })
    await expect(read()).rejects.toMatchObject({ code: 'api.unreachable' })
    expect((await read()).orderId).toBe(orderId)
  })

  test('behavior: setPrice is today’s price from the next quote on', async () => {
    const service = createTestService()
    const { orderId, clientSecret } = await order(service)
    service.setPrice('dunes-at-dusk', '0.02')
    expect(service.getOrder(orderId).quote.totalPrice?.amount).toBe('0.024')
    const renewed = await refreshOrder(service.client, { orderId, clientSecret })
    expect(renewed.quote.totalPrice?.amount).toBe('0.04')
    expect(checkPayment(renewed, service.rules).units).toBe(4n * 10n ** 16n)
  })

  test('behavior: sellOut ends the sale, and what was paid for goes back', async () => {
    const service = createTestService()
    const { orderId } = await order(service, both)
    service.pay(orderId)
    service.sellOut('dunes-at-dusk')
    expect((await order(service, both)).order).toMatchObject({
      phase: 'payment',
      lineItems: [{ quote: { unavailabilityReason: { code: 'sold-out' } } }, { quote: { status: 'valid' } }],
    })
    expect((await order(service)).order.quote.status).toBe('all-line-items-unavailable')
    service.advance(4_000)
    expect(service.getOrder(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'failed' } }, { delivery: { status: 'completed' } }],
      payment: { refunded: { amount: '0.012' } },
    })
  })

  test.each([
    { item: undefined, statuses: ['failed', 'failed'] },
    { item: 1, statuses: ['completed', 'failed'] },
  ])('behavior: failDelivery of $item ends in $statuses', async ({ item, statuses }) => {
    const service = createTestService()
    const { orderId } = await order(service, both)
    service.failDelivery(orderId, item)
    service.pay(orderId)
    service.advance(4_000)
    const { lineItems, payment } = service.getOrder(orderId)
    expect(lineItems.map(({ delivery }) => delivery.status)).toEqual(statuses)
    expect(payment.refunded).toBeDefined()
  })

  test('behavior: too little waits for the rest', async () => {
    const service = createTestService()
    const { orderId } = await order(service)
    service.pay(orderId, { amount: '0.001' })
    service.advance(2_000)
    const { payment } = service.getOrder(orderId)
    expect(payment).toMatchObject({
      status: 'awaiting-payment',
      failureReason: { code: 'underpaid' },
      received: { amount: '0.001' },
    })
    expect(payment.refunded).toBeUndefined()
    service.pay(orderId, { amount: '0.023' })
    service.advance(4_000)
    const paid = service.getOrder(orderId)
    expect(paid).toMatchObject({ phase: 'completed', payment: { received: { amount: '0.024' } } })
    expect(paid.payment.refunded).toBeUndefined()
  })

  test.each([
    ['the quote ends', 'quote', '0.001'],
    ['the whole is paid', 'completed', '0.025'],
  ])('behavior: too little is sent back when %s', async (_, phase, received) => {
    const service = createTestService()
    const { orderId } = await order(service)
    service.pay(orderId, { amount: '0.001' })
    service.advance(2_000)
    if (phase === 'completed') service.pay(orderId)
    service.advance(60 * 60_000)
    expect(service.getOrder(orderId)).toMatchObject({
      phase,
      payment: { received: { amount: received }, refunded: { amount: '0.001' } },
    })
  })

  test('behavior: a payment at an earlier price that is still valid pays for the order', async () => {
    const service = createTestService()
    const { orderId, clientSecret } = await order(service)
    service.setPrice('dunes-at-dusk', '0.02')
    await refreshOrder(service.client, { orderId, clientSecret })
    expect(service.getOrder(orderId).quote.totalPrice?.amount).toBe('0.04')
    service.pay(orderId, { amount: '0.024' })
    service.advance(3_000)
    expect(service.getOrder(orderId)).toMatchObject({
      phase: 'completed',
      quote: { totalPrice: { amount: '0.024' } },
      payment: { received: { amount: '0.024' } },
    })
  })

  test('behavior: a token that arrives too late is sent back, and ether cannot be', async () => {
    const service = createTestService()
    const late = await order(service, undefined, 'usdc')
    const ether = await order(service)
    service.advance(601_000)
    service.pay(late.orderId)
    expect(() => service.pay(ether.orderId)).toThrow('was refused')
    service.advance(2_000)
    expect(service.getOrder(late.orderId)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { status: 'requires-quote', failureReason: { code: 'expired' }, refunded: { amount: '72' } },
    })
  })

  test('behavior: a second payment of a paid order is sent back', async () => {
    const service = createTestService()
    const { orderId } = await order(service)
    service.pay(orderId)
    service.advance(2_000)
    service.pay(orderId)
    service.advance(2_000)
    const { phase, payment } = service.getOrder(orderId)
    expect([phase, payment.received?.amount, payment.refunded?.amount]).toEqual([
      'completed',
      '0.048',
      '0.024',
    ])
  })

  test('behavior: a payer with too little sees so until they have enough', async () => {
    const service = createTestService()
    service.setBalance(payerAddress, 'eth', '0.024')
    const { orderId } = await order(service)
    const status = () => service.getOrder(orderId).payment.status
    expect(status()).toBe('crypto-payer-insufficient-funds-for-gas')
    service.setBalance(payerAddress, 'eth', '0.01')
    expect(status()).toBe('crypto-payer-insufficient-funds')
    service.setBalance(payerAddress, 'eth', '1')
    expect(status()).toBe('awaiting-payment')
  })

  test('behavior: requests tell every call, and no secret', async () => {
    const service = createTestService()
    const { orderId, clientSecret } = await order(service)
    await getOrder(service.client, { orderId, clientSecret })
    service.refuseNext('unreachable')
    await getOrder(service.client, { orderId, clientSecret }).catch(() => {})
    expect(service.requests).toEqual([
      { method: 'POST', path: '/2022-06-09/orders', status: 201 },
      { method: 'GET', path: `/2022-06-09/orders/${orderId}`, status: 200 },
      { method: 'GET', path: `/2022-06-09/orders/${orderId}`, status: undefined },
    ])
    expect(JSON.stringify(service.requests)).not.toContain(clientSecret)
    expect(service.getSecret(orderId)).toBe(clientSecret)
  })

  test('behavior: what a test names must be there', async () => {
    const service = createTestService()
    expect(() => service.getOrder('none')).toThrow('no order none')
    expect(() => service.sellOut('none')).toThrow('no collection none')
    expect(() => service.setBalance(payerAddress, 'doge', '1')).toThrow('knows the currency doge')
    expect(() => service.setBalance(payerAddress, 'eth', '1,5')).toThrow('1,5 is not an amount of eth')
    const { orderId, clientSecret } = await order(service)
    await editOrder(service.client, { orderId, clientSecret, body: { locale: 'de-DE' } })
    service.sellOut('dunes-at-dusk')
    await refreshOrder(service.client, { orderId, clientSecret })
    expect(() => service.pay(orderId)).toThrow('has no price')
  })
})
