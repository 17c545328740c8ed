import { and, eq } from 'drizzle-orm'
import { ChosenId } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Database, Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'

/** A token as the database stores it. */
export type NftRow = typeof nfts.$inferSelect

/** The key of a token. */
export type NftId = Pick<NftRow, 'projectId' | 'collectionId' | 'id'>

/** Selects one token. */
export const isNft = ({ projectId, collectionId, id }: NftId) =>
  and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId), eq(nfts.id, id))

/** Finds a collection's token by its id. */
export const findNft = async (db: Database | Transaction, nft: NftId): Promise<NftRow | undefined> => {
  // The database may not even accept a query for an invalid id.
  if (!z.safeParse(ChosenId, nft.id).success) return undefined
  return (await db.select().from(nfts).where(isNft(nft)))[0]
}

/** Reads a token and prevents other transactions from writing it until this one ends. */
export const lockNft = async (tx: Transaction, nft: NftId): Promise<NftRow | undefined> =>
  (await tx.select().from(nfts).where(isNft(nft)).for('update'))[0]

/** Returns the path of a token, below `{base_url}`. */
export const nftPath = ({ collectionId, id }: Pick<NftId, 'collectionId' | 'id'>): string =>
  `/2022-06-09/collections/${collectionId}/nfts/${id}`

/** Returns the key of a token's mint on its chain. */
export const nftKey = ({ projectId, collectionId, id }: NftId): string =>
  `nft:${projectId}:${collectionId}:${id}`
