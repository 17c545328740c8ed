import { afterEach, expect, test, vi } from 'vitest'
import { type Call, createClient, getOrder, observeCalls } from '../../src/api/index.js'
import { orders } from '../../stories/fixtures/orders.js'

afterEach(() => {
  vi.unstubAllGlobals()
})

const order = orders.awaitingPaymentNative
const call = { orderId: order.orderId, clientSecret: 'secret-of-the-order' }

const observe = (answer: typeof fetch) => {
  const client = createClient({ baseUrl: 'http://service.test/api', fetch: answer })
  const calls: Call[] = []
  const stop = observeCalls(client, (heard) => calls.push(heard))
  return { client, calls, stop }
}

test('default', async () => {
  const { client, calls, stop } = observe(async () => Response.json({ ...order, locale: 'é' }))
  await getOrder(client, call)
  stop()
  await getOrder(client, call)
  const bytes = new TextEncoder().encode(JSON.stringify({ ...order, locale: 'é' })).length
  expect(calls).toEqual([
    {
      method: 'GET',
      path: `/2022-06-09/orders/${order.orderId}`,
      status: 200,
      isCancelled: false,
      fromMs: expect.any(Number),
      toMs: expect.any(Number),
      bytes,
    },
  ])
  expect(JSON.stringify(calls)).not.toContain(call.clientSecret)
})

test('behavior: refused, lost and abandoned calls are reported too', async () => {
  const refused = observe(async () => Response.json({ error: true, message: 'Not found' }, { status: 404 }))
  await expect(getOrder(refused.client, call)).rejects.toThrow()
  expect(refused.calls).toMatchObject([{ status: 404, isCancelled: false }])

  const lost = observe(() => Promise.reject(new TypeError('fetch failed')))
  await expect(getOrder(lost.client, call)).rejects.toThrow()
  expect(lost.calls).toMatchObject([{ status: undefined, isCancelled: false, bytes: 0 }])

  const controller = new AbortController()
  const givenUp = observe(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        controller.abort()
      }),
  )
  await expect(getOrder(givenUp.client, { ...call, signal: controller.signal })).rejects.toThrow()
  expect(givenUp.calls).toMatchObject([{ status: undefined, isCancelled: true }])
})

test("behavior: a listener's own failure is not the call's", async () => {
  const { queueMicrotask: queue } = globalThis
  const thrown: unknown[] = []
  const catching = (task: () => void): void =>
    queue(() => {
      try {
        task()
      } catch (error) {
        thrown.push(error)
      }
    })
  vi.stubGlobal('queueMicrotask', catching)
  const { client } = observe(async () => Response.json(order))
  observeCalls(client, () => {
    throw new Error('of the listener')
  })
  await expect(getOrder(client, call)).resolves.toMatchObject({ orderId: order.orderId })
  expect(thrown).toEqual([new Error('of the listener')])
})
