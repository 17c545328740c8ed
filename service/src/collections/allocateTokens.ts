import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../db/database.js'
import { collections } from '../db/tables/index.js'

type CollectionId = { projectId: string; id: string }

const isCollection = ({ projectId, id }: CollectionId) =>
  and(eq(collections.projectId, projectId), eq(collections.id, id))

/**
 * Gives out the ids of tokens about to be minted.
 *
 * @returns Undefined when the supply does not reach.
 */
export const allocateTokens = async (
  tx: Transaction,
  collection: CollectionId,
  count: number,
): Promise<string[] | undefined> => {
  const [row] = await tx.select().from(collections).where(isCollection(collection)).for('update')
  if (!row) return undefined
  const { nextTokenId, allocatedCount, supplyLimit } = row
  if (supplyLimit !== null && allocatedCount + count > supplyLimit) return undefined
  await tx
    .update(collections)
    .set({ allocatedCount: allocatedCount + count, nextTokenId: nextTokenId + BigInt(count) })
    .where(isCollection(collection))
  return Array.from({ length: count }, (_, index) => `${nextTokenId + BigInt(index)}`)
}

/** Returns to the supply what could not be minted. The ids are not given out again. */
export const releaseTokens = async (
  tx: Transaction,
  collection: CollectionId,
  count: number,
): Promise<void> => {
  await tx
    .update(collections)
    .set({ allocatedCount: sql`${collections.allocatedCount} - ${count}` })
    .where(isCollection(collection))
}
