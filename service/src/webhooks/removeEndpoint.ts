import { and, eq } from 'drizzle-orm'
import { webhookDeliveries, webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { lockEndpoint } from './lockEndpoint.js'

/** The failure of deliveries to a removed endpoint. */
export const removedFailure = 'the endpoint was removed'

/**
 * Removes an endpoint. It receives nothing more, its pending deliveries fail, and its secrets are deleted.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const removeEndpoint = (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { endpointId }: { endpointId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    const { id } = await lockEndpoint(tx, endpointId)
    await tx.update(webhookEndpoints).set({ removedAt: at, secrets: [] }).where(eq(webhookEndpoints.id, id))
    const end = { status: 'failed' as const, lastFailure: removedFailure, nextAttemptAt: null, updatedAt: at }
    const isWaiting = and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.status, 'pending'))
    await tx.update(webhookDeliveries).set(end).where(isWaiting)
  })
