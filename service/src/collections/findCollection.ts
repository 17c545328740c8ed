import { and, eq } from 'drizzle-orm'
import { ChosenId } from 'kassa/schema'
import * as z from 'zod/mini'
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
  // No collection has such an id, and some of them the database would refuse to look for.
  if (!z.safeParse(ChosenId, id).success) return undefined
  const [row] = await db
    .select()
    .from(collections)
    .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
  return row
}
