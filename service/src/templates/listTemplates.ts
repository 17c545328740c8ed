import { and, desc, eq, isNull } from 'drizzle-orm'
import type { TemplateList } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { requireCollection } from '../collections/requireCollection.js'
import { templates } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { viewTemplate } from './viewTemplate.js'

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
