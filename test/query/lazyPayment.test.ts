import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createConfig, http } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'
import { createClient } from '../../src/api/index.js'
import { createLedger, createMemoryStorage } from '../../src/chain/index.js'
import { createLazyPayment } from '../../src/query/createLazyPayment.js'
import type { PaymentParameters } from '../../src/query/index.js'

const engine = '../../src/query/createPayment.js'

const createParameters = (): PaymentParameters => ({
  orderId: 'an-order',
  clientSecret: 'a-secret',
  config: createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } }),
  client: createClient({
    baseUrl: 'http://127.0.0.1:9/api',
    fetch: () => Promise.reject(new TypeError('no network in this test')),
  }),
  queryClient: new QueryClient(),
  ledger: createLedger(createMemoryStorage()),
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

test('behavior: what cannot be loaded before anybody paid is no failure yet', async () => {
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

test('behavior: who stops showing a payment before it is loaded leaves nothing running', async () => {
  const stop = vi.fn()
  const keep = vi.fn(() => stop)
  vi.doMock(engine, () => ({ createPayment: () => ({ keep }) }))
  const payment = createLazyPayment()
  payment.keep(createParameters)()
  await vi.dynamicImportSettled()
  expect(keep).not.toHaveBeenCalled()
  payment.keep(createParameters)()
  await vi.dynamicImportSettled()
  expect(keep.mock.calls.length).toBe(stop.mock.calls.length)
})
