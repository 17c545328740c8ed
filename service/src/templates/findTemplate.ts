import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { templates } from '../db/tables/index.js'
import { isUuid } from '../isUuid.js'

/** A template as it is kept. */
export type Template = typeof templates.$inferSelect

/** The template of this id in a project's collection, if there is one. */
export const findTemplate = async (
  db: Database | Transaction,
  projectId: string,
  collectionId: string,
  templateId: string,
): Promise<Template | undefined> => {
  if (!isUuid(templateId)) return undefined
  const ofCollection = and(eq(templates.projectId, projectId), eq(templates.collectionId, collectionId))
  const [row] = await db
    .select()
    .from(templates)
    .where(and(eq(templates.id, templateId), ofCollection))
  return row
}
