import { createWebhookHandler } from 'kassa/server'
import { openShopStore } from '../../../lib/store/shopStore'

/** Receives the service's webhooks about this shop's orders. */
export const POST = createWebhookHandler({
  secret: process.env.KASSA_WEBHOOK_SECRET ?? '',
  onEvent: async (event, { id }) => {
    switch (event.type) {
      case 'orders.payment.succeeded':
      case 'orders.payment.failed':
      case 'orders.delivery.initiated':
      case 'orders.delivery.failed':
      case 'orders.delivery.completed':
        // If this throws, the service delivers the event again later.
        await openShopStore().record(event, id)
    }
  },
})
