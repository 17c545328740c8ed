import { and, asc, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { nfts, templates } from '../db/tables/index.js'
import type { NftRow } from './findNft.js'

/** Which mints are sent together, and for which collection. */
export type BatchId = { projectId: string; collectionId: string; batchId: string }

/** A token to mint, with the limit of its template. */
export type BatchedNft = { nft: NftRow; templateLimit: number | null }

/** Selects what is still to be minted of a batch. */
export const isWaitingIn = (batchId: string) => and(eq(nfts.batchId, batchId), eq(nfts.status, 'pending'))

/** Reads what is still to be minted of a batch. */
export const readBatch = (db: Database, { batchId }: BatchId): Promise<BatchedNft[]> =>
  db
    .select({ nft: nfts, templateLimit: templates.supplyLimit })
    .from(nfts)
    .leftJoin(templates, eq(templates.id, nfts.templateId))
    .where(isWaitingIn(batchId))
    .orderBy(asc(nfts.tokenId), asc(nfts.id))

/** Reads what is still to be minted of a batch, and keeps everybody else from writing it. */
export const lockBatch = (tx: Transaction, { batchId }: BatchId): Promise<NftRow[]> =>
  tx.select().from(nfts).where(isWaitingIn(batchId)).orderBy(asc(nfts.tokenId), asc(nfts.id)).for('update')
