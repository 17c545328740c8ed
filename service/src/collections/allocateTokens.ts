import { and, eq, gte, sql } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { collections, templates } from '../db/tables/index.js'
import type { Collection } from './viewCollection.js'

type CollectionId = { projectId: string; id: string }

/** What tokens are given out of: a collection, and a template in it where they are copies of one. */
export type Supply = { collection: CollectionId; templateId?: string | undefined }

/** Why no tokens were given out. */
export type SupplyShortage = { isShort: 'collection' | 'template'; limit: number }

const isCollection = ({ projectId, id }: CollectionId) =>
  and(eq(collections.projectId, projectId), eq(collections.id, id))

/** Reads a collection, and locks its supply and that of its templates until the transaction ends. */
export const lockCollection = async (
  tx: Transaction,
  collection: CollectionId,
): Promise<Collection | undefined> =>
  (await tx.select().from(collections).where(isCollection(collection)).for('update'))[0]

/** Selects a template of a collection. Another collection may have one of the same id. */
export const isTemplate = ({ projectId, id }: CollectionId, templateId: string) =>
  and(eq(templates.projectId, projectId), eq(templates.collectionId, id), eq(templates.id, templateId))

const takeOfTemplate = async (
  tx: Transaction,
  { collection, templateId }: { collection: CollectionId; templateId: string },
  count: number,
): Promise<{ tokenId: bigint | null } | SupplyShortage> => {
  const isAsked = isTemplate(collection, templateId)
  // The lock of the collection covers its templates.
  const [row] = await tx.select().from(templates).where(isAsked)
  if (!row) throw new Error(`the template ${templateId} is gone`)
  const { allocatedCount, supplyLimit: limit, tokenId } = row
  if (limit !== null && allocatedCount + count > limit) return { isShort: 'template', limit }
  await tx
    .update(templates)
    .set({ allocatedCount: allocatedCount + count })
    .where(isAsked)
  return { tokenId }
}

/** Reads the ids that templates have, which no other token may have. */
const readTemplateIds = async (tx: Transaction, { projectId, id, nextTokenId }: Collection) => {
  const ofCollection = and(eq(templates.projectId, projectId), eq(templates.collectionId, id))
  const rows = await tx
    .select({ tokenId: templates.tokenId })
    .from(templates)
    .where(and(ofCollection, gte(templates.tokenId, nextTokenId)))
  return new Set(rows.map(({ tokenId }) => tokenId))
}

/** Gives out new token ids of a collection that is locked. */
export const takeTokenIds = async (
  tx: Transaction,
  collection: Collection,
  count: number,
): Promise<bigint[]> => {
  const taken = collection.fungibility === 'semi-fungible' ? await readTemplateIds(tx, collection) : new Set()
  const tokenIds: bigint[] = []
  let next = collection.nextTokenId
  for (; tokenIds.length < count; next++) if (!taken.has(next)) tokenIds.push(next)
  await tx.update(collections).set({ nextTokenId: next }).where(isCollection(collection))
  return tokenIds
}

/**
 * Gives out the ids of tokens about to be minted: new ones, or, in a semi-fungible collection, the template's for
 * every copy.
 */
export const allocateTokens = async (
  tx: Transaction,
  { collection, templateId }: Supply,
  count: number,
): Promise<{ tokenIds: string[] } | SupplyShortage> => {
  const row = await lockCollection(tx, collection)
  if (!row) throw new Error(`the collection ${collection.id} is gone`)
  const { allocatedCount, supplyLimit: limit } = row
  if (limit !== null && allocatedCount + count > limit) return { isShort: 'collection', limit }
  const taken =
    templateId === undefined ? undefined : await takeOfTemplate(tx, { collection, templateId }, count)
  if (taken && 'isShort' in taken) return taken
  await tx
    .update(collections)
    .set({ allocatedCount: allocatedCount + count })
    .where(isCollection(collection))
  const shared = taken?.tokenId ?? undefined
  const tokenIds =
    shared === undefined ? await takeTokenIds(tx, row, count) : new Array<bigint>(count).fill(shared)
  return { tokenIds: tokenIds.map(String) }
}

/** Returns to the supply what could not be minted. The ids are not given out again. */
export const releaseTokens = async (
  tx: Transaction,
  { collection, templateId }: Supply,
  count: number,
): Promise<void> => {
  // In the order in which they are taken, to avoid a deadlock.
  await tx
    .update(collections)
    .set({ allocatedCount: sql`${collections.allocatedCount} - ${count}` })
    .where(isCollection(collection))
  if (templateId === undefined) return
  await tx
    .update(templates)
    .set({ allocatedCount: sql`${templates.allocatedCount} - ${count}` })
    .where(isTemplate(collection, templateId))
}
