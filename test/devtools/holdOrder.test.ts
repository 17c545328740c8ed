import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { forceOrder } from '../../src/devtools/forceOrder.js'
import { holdOrder } from '../../src/devtools/holdOrder.js'
import { setChosenOrder, setOrder } from '../../src/query/setOrder.js'
import { findWire } from '../../src/query/wire.js'
import { orderQueryKey } from '../../src/query.js'
import { orders } from '../../stories/fixtures/orders.js'

const real = orders.awaitingPaymentNative
const client = createClient({ baseUrl: 'http://service.test/api' })
const nowMs = Date.parse('2026-03-02T12:04:30.000Z')

const hold = () => {
  const queryClient = new QueryClient()
  setChosenOrder(queryClient, client, real)
  const held = holdOrder(queryClient, client, real)
  held.show(forceOrder(real, 'one-item-unavailable', nowMs))
  return {
    queryClient,
    held,
    wire: findWire(queryClient, client, real.orderId),
    shown: () => queryClient.getQueryData(orderQueryKey(client, real.orderId)),
  }
}

test('default', () => {
  const { held, shown } = hold()
  expect(held.isShown()).toBe(true)
  expect(shown()).toMatchObject({ quote: { totalPrice: { amount: '0.012' } } })
  held.release()
  expect(held.isShown()).toBe(false)
  expect(shown()).toEqual(real)
})

test('behavior: the price of a simulated order counts as not agreed to', () => {
  const { held, wire } = hold()
  if (wire) wire.agreed = { amount: '0.012', currency: 'eth' }
  held.release()
  expect(wire?.agreed).toEqual({ amount: '0.042', currency: 'eth' })
})

test('behavior: what the service has said meanwhile ends it, and is not overwritten', () => {
  const { queryClient, held, shown } = hold()
  setOrder(queryClient, client, orders.completed)
  expect(held.isShown()).toBe(false)
  held.release()
  expect(shown()).toEqual(orders.completed)
})
