import { afterEach, expect, test, vi } from 'vitest'
import { createClient, editOrder } from '../../src/api/index.js'
import { orders } from '../../stories/fixtures/orders.js'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const { orderId } = orders.awaitingPaymentNative
const client = createClient({
  baseUrl: 'http://localhost/api',
  fetch: async () =>
    Response.json(orders.awaitingPaymentNative, { headers: { 'x-kassa-ignored-fields': 'recipient.mail' } }),
})
const edit = () => editOrder(client, { orderId, clientSecret: 'cs_x', body: {} })

test('behavior: ignored fields go to the developer’s console once, and in development alone', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await edit()
  expect(warn).not.toHaveBeenCalled()
  vi.stubEnv('NODE_ENV', 'development')
  await edit()
  await edit()
  expect(warn.mock.calls).toEqual([
    [
      '[kassa] PATCH /2022-06-09/orders/…: the service ignored recipient.mail. Check the spelling, and where the field belongs.',
    ],
  ])
})
