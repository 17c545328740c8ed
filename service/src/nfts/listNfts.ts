import { and, desc, eq } from 'drizzle-orm'
import type { NftList } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { requireCollection } from '../collections/requireCollection.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { viewNft } from './viewNft.js'

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
