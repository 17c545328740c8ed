import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { templates } from '../db/tables/index.js'
import { isUuid } from '../isUuid.js'

/** A template as the database stores it. */
export type Template = typeof templates.$inferSelect

/** Finds a template of a project's collection by its id. */
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
