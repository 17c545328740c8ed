import { and, eq } from 'drizzle-orm'
import type { Collection as CollectionView } from 'kassa/schema'
import type { Call } from '../call.js'
import type { Database, Transaction } from '../db/database.js'
import { actions, collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { createUuid } from '../lib/createUuid.js'
import { lockCollection } from './allocateTokens.js'
import type { Collection } from './findCollection.js'
import { requireChain } from './requireChain.js'
import { startCreation } from './startCreation.js'
import { viewCollection } from './viewCollection.js'

const hasFailed = async (db: Database | Transaction, { actionId }: Collection): Promise<boolean> => {
  if (actionId === null) return false
  const isFailed = and(eq(actions.id, actionId), eq(actions.status, 'failed'))
  return (await db.select({ id: actions.id }).from(actions).where(isFailed)).length > 0
}

/**
 * Answers who asks again for a collection that there is: what it is now, or, where its creation has failed, that it
 * is under way again, with an action of its own.
 *
 * @throws {@link ServiceError} `input-invalid` where its chain is not enabled any more.
 */
export const recreateCollection = async (
  deps: Deps,
  call: Call,
  known: Collection,
): Promise<CollectionView> => {
  if (!(await hasFailed(deps.db, known))) return viewCollection(deps, known)
  requireChain(deps, known)
  const actionId = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const before = await lockCollection(tx, known)
    if (!before) throw new Error(`the collection ${known.id} is gone`)
    // Of several at once, the first has begun anew.
    const isAnew = await hasFailed(tx, before)
    const collection = isAnew ? { ...before, actionId } : before
    if (isAnew) {
      const isThis = and(eq(collections.projectId, known.projectId), eq(collections.id, known.id))
      await tx.update(collections).set({ actionId }).where(isThis)
      await startCreation(deps, tx, collection, actionId)
    }
    const answer = viewCollection(deps, collection)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
