import { CreateOrderAnswer, members, Order } from 'kassa/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createHandlers } from '#entry/createHandlers.js'
import { type PaymentWatcher, watchPayments } from '#sale/payments/watchPayments.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'

const price = 10n ** 16n
const payerAddress = '0x00000000000000000000000000000000000000aa'
const payment = { method: 'base-sepolia', currency: 'eth' }
const email = 'ada@example.com'
const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
const minuteMs = 60_000

let service: TestService
let chain: FakeChain
let watcher: PaymentWatcher | undefined
/** The values that clients saw, by field. */
const seen = {
  phases: new Set<string>(),
  quotes: new Set<string>(),
  payments: new Set<string>(),
  failures: new Set<string>(),
  deliveries: new Set<string>(),
}

const look = (order: Order): Order => {
  seen.phases.add(order.phase)
  seen.quotes.add(order.quote.status)
  seen.payments.add(order.payment.status)
  if (order.payment.failureReason) seen.failures.add(order.payment.failureReason.code)
  for (const { delivery } of order.lineItems) seen.deliveries.add(delivery.status)
  return order
}
const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await service.app.request(`/api/2022-06-09${path}`, {
    method,
    headers: { 'x-api-key': service.serverKey, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  return answer
}
const create = async (id: string, body: object = {}): Promise<Order> => {
  const lineItems = { collectionLocator: `kassa:${id}` }
  const given = { recipient: { email }, payment: { ...payment, payerAddress }, lineItems, ...body }
  return look(z.parse(CreateOrderAnswer, await call('POST', '/orders', given)).order)
}
const edit = async ({ orderId }: Order, body: object): Promise<Order> =>
  look(z.parse(Order, await call('PATCH', `/orders/${orderId}`, body)))
const report = async ({ orderId }: Order, txId: string): Promise<Order> =>
  z.parse(Order, await call('POST', `/orders/${orderId}/payment`, { type: 'crypto-tx-id', txId }))
const read = async ({ orderId }: Order): Promise<Order> =>
  look(z.parse(Order, await call('GET', `/orders/${orderId}`)))
/** Waits until the order shows a value, reading it as a client does. */
const becomes = async (order: Order, shown: object): Promise<Order> => {
  await expect.poll(() => read(order), { interval: 20 }).toMatchObject(shown)
  return read(order)
}
const paysWith = (code: string) => ({ payment: { failureReason: { code } } })
const pay = ({ orderId }: Order, units = price, currency = 'eth') => chain.pay({ orderId, currency, units })

beforeAll(async () => {
  let now = Date.now
  chain = createFakeChain({ now: () => now(), confirmations: 2 })
  service = await createTestService({
    chains: [chain.port],
    config: { quoteTtlMs: 60 * minuteMs },
    handlers: (deps) => ({
      ...createHandlers(deps),
      'payments.look': async (data) => watcher?.look(data),
      'mails.send': async () => {},
    }),
  })
  now = service.deps.now
  watcher = watchPayments(service.deps, { tickMs: 10, fundsEveryMs: 0, hintsEveryMs: 0 })
  const metadata = { name: 'Goods', symbol: 'GOODS' }
  const payments = { price: '0.01', currency: 'eth' }
  const goods = { chain: 'base-sepolia', metadata, reuploadLinkedFiles: false }
  await call('PUT', '/collections/tea', { ...goods, payments })
  const requires = ['physical-address', 'receipt-email']
  await call('PUT', '/collections/print', { ...goods, payments: { ...payments, requires } })
  await call('PUT', '/collections/museum', goods)
})
afterAll(async () => {
  await watcher?.stop()
  await service.close()
})

test('default: every state is reached by calls, a chain and the clock', async () => {
  await create('museum')
  const order = await create('print', { recipient: undefined, payment })
  expect(order.quote.status).toBe('requires-recipient')
  expect(await edit(order, { recipient: { email } })).toMatchObject({
    phase: 'quote',
    quote: { status: 'requires-physical-address' },
    payment: { status: 'requires-quote' },
  })
  expect(await edit(order, { recipient: { email, physicalAddress } })).toMatchObject({
    phase: 'payment',
    quote: { status: 'valid', totalPrice: { amount: '0.01' } },
    payment: { status: 'requires-email' },
  })
  const payerless = await edit(order, { payment: { ...payment, receiptEmail: email } })
  expect(payerless.payment.status).toBe('requires-crypto-payer-address')
  expect((await edit(order, { payment: { ...payment, payerAddress } })).payment.status).toBe(
    'awaiting-payment',
  )
  chain.state.funds = 'insufficient-funds'
  await becomes(order, { payment: { status: 'crypto-payer-insufficient-funds' } })
  chain.state.funds = 'insufficient-funds-for-gas'
  await becomes(order, { payment: { status: 'crypto-payer-insufficient-funds-for-gas' } })
  chain.state.funds = 'ready'
  await becomes(order, { payment: { status: 'awaiting-payment' } })

  chain.state.refusals.set('mint', 'Paused')
  pay(order)
  await becomes(order, { payment: { status: 'in-progress' } })
  chain.mine()
  await becomes(order, { phase: 'delivery', payment: { status: 'completed' } })
  chain.state.refusals.clear()
  await service.advance(2 * minuteMs)
  await becomes(order, { phase: 'completed', lineItems: [{ delivery: { status: 'completed' } }] })

  chain.state.refusals.set('mint', 'Paused')
  const doomed = await create('tea')
  pay(doomed)
  chain.mine()
  await becomes(doomed, { phase: 'delivery' })
  const failed = { phase: 'completed', lineItems: [{ delivery: { status: 'failed' } }] }
  const retry = async () => {
    await service.advance(30 * minuteMs)
    return read(doomed)
  }
  await expect.poll(retry, { interval: 100 }).toMatchObject(failed)
  await becomes(doomed, failed)
  chain.state.refusals.clear()

  const lost = await create('tea')
  await report(lost, `0x${'12'.repeat(32)}`)
  await service.advance(9 * minuteMs)
  expect((await becomes(lost, {})).payment.failureReason).toBeUndefined()
  await service.advance(minuteMs)
  await becomes(lost, { phase: 'payment', ...paysWith('tx-id-not-found') })
  const again = `0x${'34'.repeat(32)}`
  expect((await report(lost, again)).payment.failureReason).toBeUndefined()
  chain.state.traces.set(again, 'insufficient-funds')
  await becomes(lost, { phase: 'payment', ...paysWith('insufficient-funds') })
  pay(lost)
  const found = await becomes(lost, { payment: { status: 'in-progress' } })
  expect(found.payment.failureReason).toBeUndefined()

  const wrong = await create('tea')
  pay(wrong, 1n)
  chain.mine()
  await becomes(wrong, { phase: 'payment', ...paysWith('underpaid') })
  pay(wrong, 1n, 'usdc')
  chain.mine()
  await becomes(wrong, paysWith('unknown'))
  await service.advance(60 * minuteMs)
  await becomes(wrong, { quote: { status: 'expired' }, ...paysWith('underpaid') })
  pay(wrong)
  chain.mine()
  await becomes(wrong, paysWith('expired'))

  expect([...seen.phases].sort()).toEqual([...members.phases].sort())
  expect([...seen.quotes].sort()).toEqual([...members.quoteStatuses].sort())
  expect([...seen.payments].sort()).toEqual([...members.paymentStatuses].sort())
  expect([...seen.failures].sort()).toEqual([...members.paymentFailureCodes].sort())
  expect([...seen.deliveries].sort()).toEqual([...members.deliveryStatuses].sort())
})
