import { createWebhookHandler } from 'kassa/server'
import { openShopStore } from '../../../lib/store/shopStore'

/** Where the service tells this shop what became of its orders. */
export const POST = createWebhookHandler({
  secret: process.env.KASSA_WEBHOOK_SECRET ?? '',
  onEvent: async (event, { id }) => {
    switch (event.type) {
      case 'orders.payment.succeeded':
      case 'orders.payment.failed':
      case 'orders.delivery.initiated':
      case 'orders.delivery.failed':
      case 'orders.delivery.completed':
        // What this throws has the service tell it again, later.
        await openShopStore().record(event, id)
    }
  },
})
