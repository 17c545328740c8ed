import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'

/** An action as the database stores it. */
export type ActionRow = typeof actions.$inferSelect

/** Finds an action that has not ended. */
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
