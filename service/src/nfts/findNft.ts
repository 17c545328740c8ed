import { and, eq } from 'drizzle-orm'
import { ChosenId } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Database, Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'

/** A token as it is kept. */
export type NftRow = typeof nfts.$inferSelect

/** What tells a token from all others. */
export type NftId = Pick<NftRow, 'projectId' | 'collectionId' | 'id'>

/** Selects one token. */
export const isNft = ({ projectId, collectionId, id }: NftId) =>
  and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId), eq(nfts.id, id))

/** A collection's token of this id, if there is one. */
export const findNft = async (db: Database | Transaction, nft: NftId): Promise<NftRow | undefined> => {
  // What can be no id may be what the database cannot even be asked for.
  if (!z.safeParse(ChosenId, nft.id).success) return undefined
  return (await db.select().from(nfts).where(isNft(nft)))[0]
}

/** Reads a token and keeps everybody else from writing it until the transaction ends. */
export const lockNft = async (tx: Transaction, nft: NftId): Promise<NftRow | undefined> =>
  (await tx.select().from(nfts).where(isNft(nft)).for('update'))[0]

/** Path of a token, below `{base_url}`. */
export const nftPath = ({ collectionId, id }: Pick<NftId, 'collectionId' | 'id'>): string =>
  `/2022-06-09/collections/${collectionId}/nfts/${id}`

/** The name under which a chain knows the mint of a token. */
export const nftKey = ({ projectId, collectionId, id }: NftId): string =>
  `nft:${projectId}:${collectionId}:${id}`
