import { eq } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import { webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { lockEndpoint } from './lockEndpoint.js'

/** What is to change of an endpoint; what is left out stays. */
export type UpdateEndpointInput = {
  endpointId: string
  /** One that was found fit to be posted to. */
  url?: string | undefined
  eventTypes?: readonly WebhookEventType[] | undefined
}

/**
 * Changes where an endpoint is, also for what is on its way already, and what it is told from now on. Its secrets
 * stay.
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
