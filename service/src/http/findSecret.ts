import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { orders } from '../db/tables/index.js'
import { isSecret } from '../keys/secret.js'

/** Finds the order that a client secret opens. */
export const findSecret = async (
  db: Database,
  orderId: string,
  secret: string,
): Promise<{ orderId: string; projectId: string } | undefined> => {
  const [order] = await db
    .select({ projectId: orders.projectId, clientSecretHash: orders.clientSecretHash })
    .from(orders)
    .where(eq(orders.id, orderId))
  if (!order || !isSecret(secret, order.clientSecretHash)) return undefined
  return { orderId, projectId: order.projectId }
}
