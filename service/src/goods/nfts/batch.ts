import { and, asc, eq } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { collections, nfts, templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { Collection } from '../collections/viewCollection.js'
import type { Template } from '../templates/findTemplate.js'
import type { NftRow } from './findNft.js'

/** The mints to send together, and their collection. */
export type BatchId = { projectId: string; collectionId: string; batchId: string }

/** A token to mint, with its template. */
export type BatchedNft = { nft: NftRow; template: Template | null }

/** Selects the tokens of a batch that are still to be minted. */
export const isWaitingIn = (batchId: string) => and(eq(nfts.batchId, batchId), eq(nfts.status, 'pending'))

/** Reads the tokens of a batch that are still to be minted. */
export const readBatch = (db: Database, { batchId }: BatchId): Promise<BatchedNft[]> =>
  db
    .select({ nft: nfts, template: templates })
    .from(nfts)
    .leftJoin(
      templates,
      and(
        eq(templates.projectId, nfts.projectId),
        eq(templates.collectionId, nfts.collectionId),
        eq(templates.id, nfts.templateId),
      ),
    )
    .where(isWaitingIn(batchId))
    .orderBy(asc(nfts.tokenId), asc(nfts.id))

/** Reads the tokens of a batch that are still to be minted, and locks them. */
export const lockBatch = (tx: Transaction, { batchId }: BatchId): Promise<NftRow[]> =>
  tx.select().from(nfts).where(isWaitingIn(batchId)).orderBy(asc(nfts.tokenId), asc(nfts.id)).for('update')

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
