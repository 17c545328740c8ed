import type { Order } from 'kassa/schema'
import { createScriptedFetch } from '../fixtures/fetch.js'

/** A sandbox that answers as the scripted service does, and with nothing new while its order is the same. */
export const createSandboxFetch = (orders: readonly Order[]): typeof fetch => {
  const read = createScriptedFetch(orders)
  return async (input, init) => {
    const url = String(input)
    if (url.endsWith('/sandbox')) return Response.json({ chains: { 'base-sepolia': {} }, collections: [] })
    if (url.endsWith('/fund')) return Response.json({})
    // Without a stream, the order is polled.
    if (url.endsWith('/events')) return new Response(null, { status: 204 })
    const response = await read(input, init)
    const order: Order = await response.json()
    const etag = `"${order.phase} ${order.payment.status} ${order.lineItems.map(({ delivery }) => delivery.status)}"`
    return new Headers(init?.headers).get('if-none-match') === etag
      ? new Response(null, { status: 304 })
      : Response.json(order, { headers: { etag } })
  }
}
