import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { webhookEndpoints } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'

/** An endpoint as the database stores it. */
export type StoredEndpoint = typeof webhookEndpoints.$inferSelect

/** Which endpoint it is, and the project that it must belong to; without one, it may be any project's. */
export type EndpointKey = { endpointId: string; projectId?: string | undefined }

/** The condition of an endpoint that was not removed. */
export const isEndpoint = ({ endpointId, projectId }: EndpointKey) =>
  and(
    eq(webhookEndpoints.id, endpointId),
    isNull(webhookEndpoints.removedAt),
    projectId === undefined ? undefined : eq(webhookEndpoints.projectId, projectId),
  )

/**
 * Reads an endpoint, and prevents other transactions from changing it until this one ends.
 *
 * @throws {@link ServiceError} `not-found`, also for a removed one, and for another project's.
 */
export const lockEndpoint = async (tx: Transaction, key: EndpointKey): Promise<StoredEndpoint> => {
  const { endpointId } = key
  const [row] = isUuid(endpointId)
    ? await tx.select().from(webhookEndpoints).where(isEndpoint(key)).for('update')
    : []
  if (!row) throw new ServiceError('not-found', `there is no webhook endpoint ${endpointId}`)
  return row
}
