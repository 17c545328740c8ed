import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { collections } from '../db/tables/index.js'

/** A collection as it is kept. */
export type Collection = typeof collections.$inferSelect

/** A project's collection of this id, if there is one. */
export const findCollection = async (
  db: Database | Transaction,
  projectId: string,
  id: string,
): Promise<Collection | undefined> => {
  const [row] = await db
    .select()
    .from(collections)
    .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
  return row
}
