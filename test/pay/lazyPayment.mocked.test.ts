import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createConfig, http } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'
import { createClient } from '../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore } from '../../src/chain/index.js'
import { createLazyPayment } from '../../src/pay/createLazyPayment.js'
import { setOrder } from '../../src/query/setOrder.js'
import type { PaymentParameters } from '../../src/query.js'
import { orders } from '../../stories/fixtures/orders.js'

const engine = '../../src/pay/createPayment.js'

const createParameters = (): PaymentParameters => ({
  orderId: 'an-order',
  clientSecret: 'a-secret',
  config: createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } }),
  client: createClient({
    baseUrl: 'http://127.0.0.1:9/api',
    fetch: () => Promise.reject(new TypeError('no network in this test')),
  }),
  queryClient: new QueryClient(),
  attemptStore: createPaymentAttemptStore(createMemoryStorage()),
  now: () => 0,
})

const away = () => {
  throw new TypeError('Failed to fetch dynamically imported module')
}

afterEach(() => {
  vi.doUnmock(engine)
  vi.resetModules()
})

test('default', async () => {
  const payment = createLazyPayment()
  const steps: string[] = []
  payment.subscribe(() => steps.push(payment.getStep().status))
  const paid = payment.pay(createParameters())
  // Before anything was loaded: a press is answered at once.
  expect(payment.getStep()).toEqual({ status: 'checking' })
  expect(await paid).toMatchObject({ status: 'failed', error: { code: 'api.unreachable' } })
  expect(steps).toEqual(['checking', 'failed'])
})

test('error: api.not-loaded, and the next press asks again', async () => {
  vi.doMock(engine, away)
  const payment = createLazyPayment()
  const parameters = createParameters()
  const failed = { status: 'failed', error: { code: 'api.not-loaded', remedy: 'retry' } }
  expect(await payment.pay(parameters)).toMatchObject(failed)
  payment.reset()
  expect(payment.getStep()).toEqual({ status: 'idle' })
  vi.doUnmock(engine)
  expect(await payment.pay(parameters)).toMatchObject({ error: { code: 'api.unreachable' } })
})

test('behavior: a failed load before the first payment is not an error yet', async () => {
  vi.doMock(engine, away)
  const payment = createLazyPayment()
  const stop = payment.keep(createParameters)
  await vi.dynamicImportSettled()
  expect(payment.getStep()).toEqual({ status: 'idle' })
  stop()
})

test('behavior: nothing is loaded to take up a payment that was never begun', async () => {
  const load = vi.fn(away)
  vi.doMock(engine, load)
  const payment = createLazyPayment()
  expect(await payment.resume(createParameters())).toEqual({ status: 'idle' })
  expect(load).not.toHaveBeenCalled()
})

/** An engine that only notes what it is asked for. */
const createEngine = () => ({
  pay: vi.fn(async () => ({ status: 'idle' })),
  resume: vi.fn(async () => ({ status: 'idle' })),
  keep: vi.fn(() => stop),
  reset: vi.fn(),
})
const stop = vi.fn()

const withOrder = (amount: string) => {
  const parameters = createParameters()
  const { quote, ...order } = { ...orders.awaitingPaymentNative, orderId: parameters.orderId }
  const show = (next: string): void =>
    setOrder(parameters.queryClient, parameters.client, {
      ...order,
      quote: { ...quote, totalPrice: { amount: next, currency: 'eth' } },
    })
  show(amount)
  return { parameters, show }
}

test('behavior: what is paid is what the buyer saw when they pressed, however long the engine takes', async () => {
  const asked = createEngine()
  vi.doMock(engine, () => ({ createPayment: () => asked }))
  const { parameters, show } = withOrder('0.001')
  const payment = createLazyPayment()
  const paid = payment.pay(parameters)
  show('0.042')
  await paid
  const seen = { total: { amount: '0.001', currency: 'eth' }, method: 'base-sepolia' }
  expect(asked.pay).toHaveBeenLastCalledWith(parameters, undefined, seen)
  // And once it is there, the press reaches it before anything else can happen.
  void payment.pay(parameters, { total: { amount: '0.042', currency: 'eth' } })
  expect(asked.pay).toHaveBeenCalledTimes(2)
  expect(asked.pay.mock.lastCall?.at(2)).toMatchObject({ total: { amount: '0.042' } })
})

test('behavior: a payment that may be under way is no idle one, whether its engine loads or not', async () => {
  vi.doMock(engine, away)
  const parameters = createParameters()
  parameters.attemptStore.put({
    id: 'an-attempt',
    orderId: parameters.orderId,
    chainId: 84532,
    payerAddress: '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6',
    to: '0x52908400098527886E0F7030069857D2E4169EE7',
    data: '0x',
    valueWei: '1',
    attemptedAtMs: 0,
  })
  const payment = createLazyPayment()
  const resumed = payment.resume(parameters)
  expect(payment.getStep()).toEqual({ status: 'checking' })
  payment.reset()
  expect(payment.getStep()).toEqual({ status: 'checking' })
  expect(await resumed).toMatchObject({ status: 'failed', error: { code: 'api.not-loaded' } })
})

test('behavior: an engine that loads late keeps the quote of everybody who shows it', async () => {
  vi.doMock(engine, away)
  const payment = createLazyPayment()
  const [first, second] = [createParameters, () => createParameters()]
  const stopFirst = payment.keep(first)
  payment.keep(second)
  await vi.dynamicImportSettled()
  stopFirst()
  const asked = createEngine()
  vi.doMock(engine, () => ({ createPayment: () => asked }))
  await payment.pay(createParameters())
  expect(asked.keep.mock.calls).toEqual([[second]])
})

test('behavior: who stops showing a payment before it is loaded leaves nothing running', async () => {
  const asked = createEngine()
  vi.doMock(engine, () => ({ createPayment: () => asked }))
  const payment = createLazyPayment()
  payment.keep(createParameters)()
  await vi.dynamicImportSettled()
  expect(asked.keep).not.toHaveBeenCalled()
  payment.keep(createParameters)()
  expect(asked.keep).toHaveBeenCalledTimes(1)
  expect(stop).toHaveBeenCalledTimes(1)
})

test('behavior: an order that is paid loads nothing', async () => {
  const load = vi.fn(away)
  vi.doMock(engine, load)
  const parameters = createParameters()
  setOrder(parameters.queryClient, parameters.client, { ...orders.completed, orderId: parameters.orderId })
  createLazyPayment().keep(() => parameters)()
  await vi.dynamicImportSettled()
  expect(load).not.toHaveBeenCalled()
})
