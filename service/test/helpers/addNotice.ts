import { randomBytes } from 'node:crypto'
import { webhookDeliveries, webhookEvents } from '#base/db/tables/index.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import type { Shop } from './createShop.js'

/** Stores a webhook event about an order that was not delivered to its endpoint. */
export const addNotice = async (
  { deps, projectId }: Pick<Shop, 'deps' | 'projectId'>,
  orderId: string,
): Promise<{ eventId: string; endpointId: string; orderId: string }> => {
  const eventTypes = ['orders.quote.updated'] as const
  const url = 'https://shop.example/hook'
  const { id: endpointId } = await createEndpoint(deps, { projectId, url, eventTypes })
  const [eventId, createdAt] = [`msg_${randomBytes(18).toString('base64url')}`, new Date()]
  await deps.db.insert(webhookEvents).values({
    id: eventId,
    projectId,
    orderId,
    type: eventTypes[0],
    body: '{}',
    createdAt,
  })
  const failed = { status: 'failed', attempts: 7, updatedAt: createdAt } as const
  await deps.db.insert(webhookDeliveries).values({ eventId, endpointId, ...failed })
  return { eventId, endpointId, orderId }
}
