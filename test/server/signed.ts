import { Webhook } from 'standardwebhooks'
import { orders } from '../../stories/fixtures/orders.js'

const toSecret = (key: string): string => `whsec_${btoa(key)}`

/** The secret of the endpoint under test. */
export const secret = toSecret('a key of this endpoint, 32 bytes')

/** An unused secret. */
export const otherSecret = toSecret('the key of some other endpoint..')

/** When everything here is sent. */
export const sentAt = new Date('2026-01-02T03:04:05Z')

/** An event about an order, in letters of many kinds. */
export const orderEvent = {
  type: 'orders.delivery.completed',
  actionId: orders.completed.orderId,
  startedAt: '2026-01-02T03:04:00.000Z',
  data: { ...orders.completed, metadata: { note: 'für Zoë 👋🏽 — 東京\u2028' } },
}

/** The headers that the public library of Standard Webhooks makes for a body. */
export const sign = (body: string, { by = secret, id = 'msg_1', at = sentAt } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(by).sign(id, at, body),
})

/** A signed request, as a service sends it. */
export const post = (
  event: unknown,
  headers?: Readonly<Record<string, string>>,
  url = 'https://shop.example/hook',
) => {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return new Request(url, { method: 'POST', body, headers: { ...sign(body), ...headers } })
}
