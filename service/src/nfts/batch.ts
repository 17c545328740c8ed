import { and, asc, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { nfts, templates } from '../db/tables/index.js'
import type { NftRow } from './findNft.js'

/** The mints to send together, and their collection. */
export type BatchId = { projectId: string; collectionId: string; batchId: string }

/** A token to mint, with the limit of its template. */
export type BatchedNft = { nft: NftRow; templateLimit: number | null }

/** Selects the tokens of a batch that are still to be minted. */
export const isWaitingIn = (batchId: string) => and(eq(nfts.batchId, batchId), eq(nfts.status, 'pending'))

/** Reads the tokens of a batch that are still to be minted. */
export const readBatch = (db: Database, { batchId }: BatchId): Promise<BatchedNft[]> =>
  db
    .select({ nft: nfts, templateLimit: templates.supplyLimit })
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
