import { createHash } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { clip } from 'kassa/engine'
import { fields, type TemplateList, type Template as TemplateView } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { formatUuid, isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { isTemplate, lockCollection } from '../collections/allocateTokens.js'
import { requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'

/** A template as the database stores it. */
export type Template = typeof templates.$inferSelect

/**
 * Returns the UUID under which the database stores a template: its id, or one that is derived from it.
 *
 * @returns `undefined` if no template has such an id.
 */
export const toTemplateUuid = (templateId: string): string | undefined => {
  // The database stores UUIDs in small letters.
  if (isUuid(templateId)) return templateId.toLowerCase()
  if (!z.safeParse(fields.TemplateId, templateId).success) return undefined
  return formatUuid(createHash('sha256').update(`template ${templateId}`).digest().subarray(0, 16))
}

/** Returns the id of a template in the interface. */
export const templateIdOf = ({ id, name }: Pick<Template, 'id' | 'name'>): string => name ?? id

/**
 * Returns the key and the limit under which a contract counts the copies of a template. A contract keeps the limit
 * that comes with a key's first copy, so a limit that has grown since has a key of its own, for what is left of it.
 */
export const contractTemplate = ({
  id,
  supplyLimit,
  limitRevision,
  limitBase,
}: Pick<Template, 'id' | 'supplyLimit' | 'limitRevision' | 'limitBase'>): { key: string; limit: bigint } => ({
  key: limitRevision === 0 ? id : `${id}:${limitRevision}`,
  // To a contract, 0 means no limit.
  limit: supplyLimit === null ? 0n : BigInt(Math.max(supplyLimit - limitBase, 1)),
})

/** Identifies a template. */
export type TemplateId = { projectId: string; collectionId: string; templateId: string }

/** Finds a template, also one that was deleted. */
export const findKeptTemplate = async (
  db: Database | Transaction,
  { projectId, collectionId, templateId }: TemplateId,
): Promise<Template | undefined> => {
  const id = toTemplateUuid(templateId)
  if (id === undefined) return undefined
  const isAsked = isTemplate({ projectId, id: collectionId }, id)
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

/**
 * Locks a template and its collection, so that no token is minted and no order is created from the template
 * until the transaction ends.
 *
 * @throws {@link ServiceError} `not-found`, also if the template was deleted.
 */
export const lockTemplate = async (
  tx: Transaction,
  known: Collection,
  templateId: string,
): Promise<{ collection: Collection; template: Template }> => {
  const collection = await lockCollection(tx, known)
  const id = toTemplateUuid(templateId)
  const [template] =
    id === undefined ? [] : await tx.select().from(templates).where(isTemplate(known, id)).for('update')
  if (!collection || !template || template.deletedAt) {
    throw new ServiceError('not-found', `Template ${clip(templateId)} not found`)
  }
  return { collection, template }
}

/**
 * Converts a template to its form in the interface. Copies being minted count as minted, because they are no
 * longer available.
 */
export const viewTemplate = (template: Template): TemplateView => {
  const { metadata, tokenId, supplyLimit, allocatedCount } = template
  return {
    templateId: templateIdOf(template),
    metadata,
    ...(tokenId !== null && { onChain: { tokenId: Number(tokenId) } }),
    supply: { ...(supplyLimit !== null && { limit: supplyLimit }), minted: allocatedCount },
  }
}

/**
 * Gets a template.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getTemplate = async (
  { db }: Pick<Deps, 'db'>,
  call: Call,
  { collectionId, templateId }: { collectionId: string; templateId: string },
): Promise<TemplateView> => {
  requireServerScope(call.actor, 'nfts.read')
  const collection = await requireCollection(db, call.actor.projectId, collectionId)
  return viewTemplate(await requireTemplate(db, collection, templateId))
}

/**
 * Lists a collection's templates, newest first.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listTemplates = async (
  { db }: Pick<Deps, 'db'>,
  call: Call,
  { collectionId, page, perPage }: { collectionId: string; page: number; perPage: number },
): Promise<TemplateList> => {
  requireServerScope(call.actor, 'nfts.read')
  const { projectId, id } = await requireCollection(db, call.actor.projectId, collectionId)
  const rows = await db
    .select()
    .from(templates)
    .where(
      and(eq(templates.projectId, projectId), eq(templates.collectionId, id), isNull(templates.deletedAt)),
    )
    .orderBy(desc(templates.createdAt), desc(templates.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return rows.map(viewTemplate)
}
