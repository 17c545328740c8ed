import { and, eq } from 'drizzle-orm'
import type { Collection } from '../collections/findCollection.js'
import type { Transaction } from '../db/database.js'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

/** Sets whether a job is about to put a collection's waiting mints into a batch. */
export const setGathering = async (
  tx: Transaction,
  { projectId, id }: Pick<Collection, 'projectId' | 'id'>,
  isGathering: boolean,
): Promise<void> => {
  await tx
    .update(collections)
    .set({ isGathering })
    .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
}

/**
 * Enqueues the job that puts a waiting mint into a batch, together with those that come soon after. The
 * caller holds the collection's lock.
 */
export const askForBatch = async (
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction,
  locked: Collection,
): Promise<void> => {
  if (locked.isGathering) return
  await setGathering(tx, locked, true)
  await jobs.enqueue(tx, 'nfts.gather', { projectId: locked.projectId, collectionId: locked.id })
}
