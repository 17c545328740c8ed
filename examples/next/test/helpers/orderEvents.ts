import type { Order } from 'kassa'
import { orders } from 'kassa/testing'

const startedAt = '2026-03-02T12:00:00.000Z'

/** An event as the service tells it, so many seconds after the order was made. */
export const orderEvent = <Type extends string>(type: Type, data: Order, afterSeconds: number) => ({
  type,
  startedAt,
  timestamp: Date.parse(startedAt) + afterSeconds * 1_000,
  data,
})

/** An order all of which was delivered but what could not be bought, as the service says it: that delivery failed. */
export const soldInPart: Order = {
  ...orders.completed,
  lineItems: orders.itemUnavailable.lineItems.map((item) => ({
    ...item,
    delivery: { ...item.delivery, status: item.quote.status === 'valid' ? 'completed' : 'failed' },
  })),
  quote: orders.itemUnavailable.quote,
}

/** All that is told of an order that goes well, by the ids it is told under. */
export const told = {
  msg_paid: orderEvent('orders.payment.succeeded', orders.delivering, 60),
  msg_begun: orderEvent('orders.delivery.initiated', orders.delivering, 60),
  msg_delivered: orderEvent('orders.delivery.completed', orders.completed, 75),
}
