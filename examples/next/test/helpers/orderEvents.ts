import type { Order } from 'kassa'
import { orders } from 'kassa/testing'

const startedAt = '2026-03-02T12:00:00.000Z'

/** Creates an event as the service sends it, some seconds after the order was created. */
export const orderEvent = <Type extends string>(type: Type, data: Order, afterSeconds: number) => ({
  type,
  startedAt,
  timestamp: Date.parse(startedAt) + afterSeconds * 1_000,
  data,
})

/**
 * An order whose items were all delivered except one that could not be bought. The service reports that
 * delivery as failed.
 */
export const soldInPart: Order = {
  ...orders.completed,
  lineItems: orders.itemUnavailable.lineItems.map((item) => ({
    ...item,
    delivery: { ...item.delivery, status: item.quote.status === 'valid' ? 'completed' : 'failed' },
  })),
  quote: orders.itemUnavailable.quote,
}

/** All events of a successful order, by their ids. */
export const told = {
  msg_paid: orderEvent('orders.payment.succeeded', orders.delivering, 60),
  msg_begun: orderEvent('orders.delivery.initiated', orders.delivering, 60),
  msg_delivered: orderEvent('orders.delivery.completed', orders.completed, 75),
}
