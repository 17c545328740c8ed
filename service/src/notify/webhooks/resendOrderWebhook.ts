import { and, eq } from 'drizzle-orm'
import type { ResendWebhookBody, ResentWebhook } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { webhookEvents } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { restartDeliveries } from './deliveries.js'

/**
 * Sends an event about an order again, from the first attempt, to all its endpoints or to one. It has the same
 * `webhook-id` as before, by which its receiver recognises a repetition.
 *
 * @throws {@link ServiceError} `forbidden`; `not-found`, also if no endpoint of it is left.
 */
export const resendOrderWebhook = async (
  deps: Pick<Deps, 'db' | 'jobs' | 'now'>,
  { actor, complete }: Call,
  { orderId, eventId, body }: { orderId: string; eventId: string; body: ResendWebhookBody },
): Promise<ResentWebhook> => {
  requireServerScope(actor, 'webhooks.send')
  const { endpointId } = body
  return deps.db.transaction(async (tx) => {
    const isIt = and(
      eq(webhookEvents.id, eventId),
      eq(webhookEvents.orderId, orderId),
      eq(webhookEvents.projectId, actor.projectId),
    )
    const [event] = isUuid(orderId) ? await tx.select().from(webhookEvents).where(isIt) : []
    const keys = event ? await restartDeliveries(deps, tx, { eventId: event.id, endpointId }) : []
    if (!event || !keys.length) throw new ServiceError('not-found', 'Not found')
    const endpointIds = keys.map((key) => key.endpointId).sort()
    const answer = { eventId: event.id, type: event.type, endpointIds }
    await complete(tx, { status: 201, body: answer })
    return answer
  })
}
