import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { webhookEndpoints } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'

/**
 * Reads an endpoint, and prevents other transactions from changing it until this one ends.
 *
 * @throws {@link ServiceError} `not-found`, also for a removed one.
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
