import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { createStatement } from '#base/db/createStatement.js'
import type { Transaction } from '#base/db/database.js'
import { collections, templates } from '#base/db/tables/index.js'
import type { Collection } from './viewCollection.js'

type CollectionId = { projectId: string; id: string }

/** What tokens are given out of: a collection, and a template in it where they are copies of one. */
export type Supply = { collection: CollectionId; templateId?: string | undefined }

/** Why no tokens were given out. */
export type SupplyShortage = { isShort: 'collection' | 'template'; limit: number }

const isCollection = ({ projectId, id }: CollectionId) =>
  and(eq(collections.projectId, projectId), eq(collections.id, id))

const isAsked = and(
  eq(collections.projectId, sql.placeholder('projectId')),
  eq(collections.id, sql.placeholder('id')),
)

const lockRow = createStatement('collections_lock', (tx) =>
  tx.select().from(collections).where(isAsked).for('update'),
)

/** Reads a collection, and locks its supply and that of its templates until the transaction ends. */
export const lockCollection = async (
  tx: Transaction,
  { projectId, id }: CollectionId,
): Promise<Collection | undefined> => (await lockRow(tx, { projectId, id }))[0]

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

/** Finds new token ids of a collection that is locked, and the one after them. */
const findTokenIds = async (
  tx: Transaction,
  collection: Collection,
  count: number,
): Promise<{ tokenIds: bigint[]; next: bigint }> => {
  const taken = collection.fungibility === 'semi-fungible' ? await readTemplateIds(tx, collection) : new Set()
  const tokenIds: bigint[] = []
  let next = collection.nextTokenId
  for (; tokenIds.length < count; next++) if (!taken.has(next)) tokenIds.push(next)
  return { tokenIds, next }
}

/** Gives out new token ids of a collection that is locked. */
export const takeTokenIds = async (
  tx: Transaction,
  collection: Collection,
  count: number,
): Promise<bigint[]> => {
  const { tokenIds, next } = await findTokenIds(tx, collection, count)
  await tx.update(collections).set({ nextTokenId: next }).where(isCollection(collection))
  return tokenIds
}

const setTaken = createStatement('collections_set_taken', (tx) =>
  tx
    .update(collections)
    .set({
      allocatedCount: sql`${sql.placeholder('allocatedCount')}`,
      nextTokenId: sql`${sql.placeholder('nextTokenId')}`,
    })
    .where(isAsked),
)

/** Gives out the ids of tokens about to be minted, as {@link allocateTokens}, of a collection that is locked. */
export const allocateLocked = async (
  tx: Transaction,
  collection: Collection,
  { templateId, count }: { templateId: string | undefined; count: number },
): Promise<{ tokenIds: string[] } | SupplyShortage> => {
  const { allocatedCount, supplyLimit: limit } = collection
  if (limit !== null && allocatedCount + count > limit) return { isShort: 'collection', limit }
  const taken =
    templateId === undefined ? undefined : await takeOfTemplate(tx, { collection, templateId }, count)
  if (taken && 'isShort' in taken) return taken
  const shared = taken?.tokenId ?? undefined
  const { tokenIds, next } =
    shared === undefined
      ? await findTokenIds(tx, collection, count)
      : { tokenIds: new Array<bigint>(count).fill(shared), next: collection.nextTokenId }
  const { projectId, id } = collection
  await setTaken(tx, { projectId, id, allocatedCount: allocatedCount + count, nextTokenId: next })
  return { tokenIds: tokenIds.map(String) }
}

const takeRow = createStatement('collections_take', (tx) => {
  const { allocatedCount, supplyLimit, nextTokenId, fungibility } = collections
  const count = sql.placeholder('count')
  const hasRoom = sql`(${supplyLimit} is null or ${allocatedCount} + ${count} <= ${supplyLimit})`
  return tx
    .update(collections)
    .set({
      allocatedCount: sql`${allocatedCount} + ${count}`,
      nextTokenId: sql`${nextTokenId} + ${count}`,
    })
    .where(and(isAsked, ne(fungibility, 'semi-fungible'), hasRoom))
    .returning({ nextTokenId })
})

/**
 * Gives out new token ids with one statement, because all deliveries of a collection wait for its lock. Returns
 * `undefined` if too few are left, or if templates have ids of their own.
 */
const takeNew = async (
  tx: Transaction,
  collection: CollectionId,
  count: number,
): Promise<string[] | undefined> => {
  const { projectId, id } = collection
  const [row] = await takeRow(tx, { projectId, id, count })
  if (!row) return undefined
  return Array.from({ length: count }, (_, at) => `${row.nextTokenId - BigInt(count - at)}`)
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
  if (count === 0) return { tokenIds: [] }
  const tokenIds = templateId === undefined ? await takeNew(tx, collection, count) : undefined
  if (tokenIds) return { tokenIds }
  const locked = await lockCollection(tx, collection)
  if (!locked) throw new Error(`the collection ${collection.id} is gone`)
  return allocateLocked(tx, locked, { templateId, count })
}

/** Gives out the ids of tokens for several line items of a collection, as {@link allocateTokens}, in their order. */
export const allocateAll = async (
  tx: Transaction,
  collection: CollectionId,
  wanted: readonly { templateId: string | undefined; count: number }[],
): Promise<({ tokenIds: string[] } | SupplyShortage)[]> => {
  const total = wanted.reduce((sum, { count }) => sum + count, 0)
  const isAllNew = wanted.length > 1 && wanted.every(({ templateId }) => templateId === undefined)
  const tokenIds = isAllNew ? await takeNew(tx, collection, total) : undefined
  if (tokenIds) return wanted.map(({ count }) => ({ tokenIds: tokenIds.splice(0, count) }))
  const allocated: ({ tokenIds: string[] } | SupplyShortage)[] = []
  for (const { templateId, count } of wanted) {
    allocated.push(await allocateTokens(tx, { collection, templateId }, count))
  }
  return allocated
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
