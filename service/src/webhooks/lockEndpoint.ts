import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { webhookEndpoints } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../isUuid.js'

/**
 * Reads an endpoint, and keeps everybody else from changing it until the transaction ends.
 *
 * @throws {@link ServiceError} `not-found`, also of one that was removed.
 */
export const lockEndpoint = async (
  tx: Transaction,
  id: string,
): Promise<typeof webhookEndpoints.$inferSelect> => {
  const isIt = and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt))
  const [row] = isUuid(id) ? await tx.select().from(webhookEndpoints).where(isIt).for('update') : []
  if (!row) throw new ServiceError('not-found', `there is no webhook endpoint ${id}`)
  return row
}
