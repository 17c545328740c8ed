import { clip } from 'kassa/engine'
import { isTemplate } from '../collections/allocateTokens.js'
import type { Database, Transaction } from '../db/database.js'
import { templates } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'

/** A template as the database stores it. */
export type Template = typeof templates.$inferSelect

/** Identifies a template. */
export type TemplateId = { projectId: string; collectionId: string; templateId: string }

/** Finds a template, also one that was deleted. */
export const findKeptTemplate = async (
  db: Database | Transaction,
  { projectId, collectionId, templateId }: TemplateId,
): Promise<Template | undefined> => {
  if (!isUuid(templateId)) return undefined
  const isAsked = isTemplate({ projectId, id: collectionId }, templateId)
  const [row] = await db.select().from(templates).where(isAsked)
  return row
}

/** Finds a template that was not deleted. */
export const findTemplate = async (
  db: Database | Transaction,
  id: TemplateId,
): Promise<Template | undefined> => {
  const template = await findKeptTemplate(db, id)
  return template?.deletedAt ? undefined : template
}

/**
 * Finds a template of a collection.
 *
 * @throws {@link ServiceError} `not-found`, also if the template was deleted.
 */
export const requireTemplate = async (
  db: Database | Transaction,
  { projectId, id: collectionId }: { projectId: string; id: string },
  templateId: string,
): Promise<Template> => {
  const template = await findTemplate(db, { projectId, collectionId, templateId })
  if (!template) throw new ServiceError('not-found', `Template ${clip(templateId)} not found`)
  return template
}
