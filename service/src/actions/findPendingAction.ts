import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'

/** An action as it is kept. */
export type ActionRow = typeof actions.$inferSelect

/** An action that has not come to its end; undefined once it has. */
export const findPendingAction = async (
  db: Database | Transaction,
  actionId: string,
): Promise<ActionRow | undefined> => {
  const [row] = await db
    .select()
    .from(actions)
    .where(and(eq(actions.id, actionId), eq(actions.status, 'pending')))
  return row
}
