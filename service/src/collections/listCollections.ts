import { desc, eq } from 'drizzle-orm'
import type { CollectionList } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { viewCollection } from './viewCollection.js'

/**
 * Lists a project's collections, newest first.
 *
 * @throws {@link ServiceError} `forbidden`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listCollections = async (
  deps: Deps,
  call: Call,
  { page, perPage }: { page: number; perPage: number },
): Promise<CollectionList> => {
  requireServerScope(call.actor, 'collections.read')
  const rows = await deps.db
    .select()
    .from(collections)
    .where(eq(collections.projectId, call.actor.projectId))
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { results: rows.map((row) => viewCollection(deps, row)) }
}
