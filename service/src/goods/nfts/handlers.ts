import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { lockCollection } from '../collections/allocateTokens.js'
import { toCollectionRef } from '../collections/viewCollection.js'
import { setGathering } from './batch.js'
import { mintBatch } from './mintBatch.js'
import { sendNftUpdate } from './sendNftUpdate.js'

type CollectionId = { projectId: string; collectionId: string }

const listWaiting = async (tx: Transaction, { projectId, collectionId }: CollectionId) => {
  const ofCollection = and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId))
  const rows = await tx
    .select({ id: nfts.id, tokenId: nfts.tokenId, owner: nfts.owner })
    .from(nfts)
    .where(and(ofCollection, eq(nfts.status, 'pending'), isNull(nfts.batchId)))
    .orderBy(asc(nfts.createdAt), asc(nfts.tokenId))
  return rows.map(({ id, tokenId, owner }) => ({ id, tokenId, recipient: owner ?? '' }))
}

/**
 * Puts a collection's waiting mints into batches: all that arrived until the wait was over. The collection is
 * locked, so that a later mint finds no gathering and requests the next one.
 *
 * @param wait - Waits as long as a mint does for others to share its transaction.
 */
const gatherMints =
  (deps: Deps, wait: () => Promise<unknown>): JobHandler<'nfts.gather'> =>
  async ({ projectId, collectionId }) => {
    await wait()
    await deps.db.transaction(async (tx) => {
      const collection = { projectId, id: collectionId }
      const locked = await lockCollection(tx, collection)
      if (!locked) return
      await setGathering(tx, collection, false)
      const waiting = await listWaiting(tx, { projectId, collectionId })
      // A chain that is no longer enabled mints nothing, and the job that finds that says so.
      const count = deps.chains.get(locked.chain)?.countMints ?? (() => 1)
      while (waiting.length) {
        const batchId = createUuid(deps.randomBytes)
        const some = waiting.splice(0, count(toCollectionRef(locked), waiting))
        const ids = some.map(({ id }) => id)
        const ofCollection = and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId))
        await tx
          .update(nfts)
          .set({ batchId })
          .where(and(ofCollection, inArray(nfts.id, ids)))
        await deps.jobs.enqueue(tx, 'nfts.mint', { projectId, collectionId, batchId, attempt: 1 })
      }
    })
  }

/** The handlers of all jobs for tokens, by name. */
export type NftHandlers = {
  [Name in 'nfts.gather' | 'nfts.mint' | 'nfts.update']: JobHandler<Name>
}

/** How long a mint waits for others to share its transaction. */
export const gatherMs = 100

/** Creates the handlers of the jobs for tokens. */
export const createNftHandlers = (
  deps: Deps,
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): NftHandlers => ({
  'nfts.gather': gatherMints(deps, () => wait(gatherMs)),
  'nfts.mint': mintBatch(deps),
  'nfts.update': sendNftUpdate(deps),
})
