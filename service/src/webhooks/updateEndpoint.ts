import { eq } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import { webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { lockEndpoint } from './lockEndpoint.js'

/** Changes of an endpoint. Absent fields stay as they are. */
export type UpdateEndpointInput = {
  endpointId: string
  /** A URL that has been checked as allowed. */
  url?: string | undefined
  eventTypes?: readonly WebhookEventType[] | undefined
}

/**
 * Changes an endpoint's URL, also for pending deliveries, and its event types from now on. Its secrets stay.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const updateEndpoint = (
  { db }: Pick<Deps, 'db'>,
  { endpointId, url, eventTypes }: UpdateEndpointInput,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { id } = await lockEndpoint(tx, endpointId)
    const changes = {
      ...(url !== undefined && { url }),
      ...(eventTypes && { eventTypes: [...new Set(eventTypes)] }),
    }
    await tx.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.id, id))
  })
