import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { clip } from 'kassa/engine'
import { type ActionData, fields, type Nft, type NftList } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import { findPlace } from '#base/db/tally.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { featuresOf } from '../collections/features.js'
import { requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'
import { viewAddress, viewTokenId } from '../collections/viewCollection.js'

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

const viewId = (deps: Pick<Deps, 'chains'>, collection: Collection, { tokenId, ...nft }: NftRow) => {
  if (nft.mintHash !== null) return { mintHash: nft.mintHash }
  return nft.isCompressed ? {} : viewTokenId(deps, collection, tokenId)
}

/**
 * Refuses a change of a compressed token. It takes a proof of where the token is in its tree, which nodes do not
 * have: only the indexers of some providers do.
 *
 * @throws {@link ServiceError} `conflict`.
 */
export const assertUncompressed = ({ id, isCompressed }: NftRow): void => {
  if (!isCompressed) return
  const message = `The token ${id} is compressed, and the service has no indexer of compressed tokens to change or burn it with`
  throw new ServiceError('conflict', message)
}

/**
 * Returns the data of a minted token for actions and events.
 *
 * @source interface.md "Events"
 */
export const describeNft = (
  deps: Pick<Deps, 'chains'>,
  collection: Collection,
  nft: NftRow,
): NonNullable<ActionData['token']> => ({
  id: nft.id,
  ...(nft.owner !== null && { owner: { walletAddress: nft.owner } }),
  ...viewId(deps, collection, nft),
})

/**
 * Converts a token to its current form in the interface.
 *
 * @source interface.md "Minted NFT"; answers.md "Mint, NFTs, templates, collections"
 */
export const viewNft = (deps: Pick<Deps, 'chains'>, collection: Collection, nft: NftRow): Nft => {
  const { id, status, metadata, owner, txId, expiresAt, actionId } = nft
  const templateId = nft.templateName ?? nft.templateId
  const minted = (status === 'success' || status === 'burned') && {
    ...viewId(deps, collection, nft),
    ...(owner !== null && status === 'success' && { owner }),
    ...(txId !== null && { txId }),
  }
  const tree = featuresOf(collection.chain).isCompressible && { compressed: nft.isCompressed }
  return {
    id,
    metadata,
    ...(templateId !== null && { templateId }),
    onChain: { status, chain: collection.chain, ...viewAddress(deps, collection), ...minted, ...tree },
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
  deps: Pick<Deps, 'chains' | 'db'>,
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

/** From how many newer tokens on the index entries before a page are not counted one by one. */
const deepOffset = 1_000

/**
 * Lists a collection's tokens, newest first.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const listNfts = async (
  deps: Pick<Deps, 'chains' | 'db'>,
  call: Call,
  { collectionId, page, perPage }: { collectionId: string; page: number; perPage: number },
): Promise<NftList> => {
  requireServerScope(call.actor, 'nfts.read')

  const { projectId } = call.actor
  const collection = await requireCollection(deps.db, projectId, collectionId)
  const isOfCollection = and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId))
  const newer = (page - 1) * perPage
  const owner = `${projectId}/${collectionId}`
  const place =
    newer < deepOffset ? undefined : await findPlace(deps.db, { subject: 'tokens', owner, offset: newer })
  const isBelow = place && lt(nfts.createdAt, place.endsAt)
  // The index alone skips the tokens of the pages before. Only those of the page are read.
  const ids = deps.db
    .select({ id: nfts.id })
    .from(nfts)
    .where(and(isOfCollection, isBelow))
    .orderBy(desc(nfts.createdAt), desc(nfts.id))
    .limit(perPage)
    .offset(place?.offset ?? newer)
  const rows = await deps.db
    .select()
    .from(nfts)
    .where(and(isOfCollection, inArray(nfts.id, ids)))
    .orderBy(desc(nfts.createdAt), desc(nfts.id))
  return rows.map((nft) => viewNft(deps, collection, nft))
}
