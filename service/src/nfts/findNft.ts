import { and, desc, eq } from 'drizzle-orm'
import { clip } from 'kassa/engine'
import { type ActionData, fields, type Nft, type NftList } from 'kassa/schema'
import * as z from 'zod/mini'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'
import { contractAddressOf } from '../collections/viewCollection.js'
import type { Database, Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'

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
  if (!z.safeParse(fields.ChosenId, nft.id).success) return undefined
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

/**
 * Returns the data of a minted token for actions and events.
 *
 * @source interface.md "Events"
 */
export const describeNft = ({ id, owner, tokenId }: NftRow): NonNullable<ActionData['token']> => ({
  id,
  ...(owner !== null && { owner: { walletAddress: owner } }),
  tokenId: `${tokenId}`,
})

const addressOf = (deps: Pick<Deps, 'chains'>, collection: Collection) => {
  const contractAddress = contractAddressOf(deps, collection)
  return contractAddress === undefined ? {} : { contractAddress }
}

/**
 * Converts a token to its current form in the interface.
 *
 * @source interface.md "Minted NFT"; answers.md "Mint, NFTs, templates, collections"
 */
export const viewNft = (deps: Pick<Deps, 'chains'>, collection: Collection, nft: NftRow): Nft => {
  const { id, status, metadata, templateId, tokenId, owner, txId, expiresAt, actionId } = nft
  const minted = (status === 'success' || status === 'burned') && {
    tokenId: `${tokenId}`,
    ...(owner !== null && status === 'success' && { owner }),
    ...(txId !== null && { txId }),
  }
  return {
    id,
    metadata,
    ...(templateId !== null && { templateId }),
    onChain: { status, chain: collection.chain, ...addressOf(deps, collection), ...minted },
    ...(expiresAt && { subscription: { expiresAt: expiresAt.toISOString() } }),
    ...(actionId !== null && { actionId }),
  }
}

/**
 * Gets a token of a collection.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getNft = async (
  deps: Deps,
  call: Call,
  { collectionId, nftId }: { collectionId: string; nftId: string },
): Promise<Nft> => {
  requireServerScope(call.actor, 'nfts.read')

  const { projectId } = call.actor
  const collection = await requireCollection(deps.db, projectId, collectionId)
  const nft = await findNft(deps.db, { projectId, collectionId, id: nftId })
  if (!nft) throw new ServiceError('not-found', `Token ${clip(nftId)} not found`)
  return viewNft(deps, collection, nft)
}

/**
 * Lists a collection's tokens, newest first.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const listNfts = async (
  deps: Deps,
  call: Call,
  { collectionId, page, perPage }: { collectionId: string; page: number; perPage: number },
): Promise<NftList> => {
  requireServerScope(call.actor, 'nfts.read')

  const { projectId } = call.actor
  const collection = await requireCollection(deps.db, projectId, collectionId)
  const rows = await deps.db
    .select()
    .from(nfts)
    .where(and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId)))
    .orderBy(desc(nfts.createdAt), desc(nfts.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return rows.map((nft) => viewNft(deps, collection, nft))
}
