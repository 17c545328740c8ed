import { startAction } from '../actions/startAction.js'
import type { Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import { collectionPath, describeCollection } from './describeCollection.js'
import type { Collection } from './findCollection.js'

/** Has a collection's contract put on its chain, and starts the action that follows it. */
export const startCreation = async (
  deps: Pick<Deps, 'chains' | 'jobs' | 'now'>,
  tx: Transaction,
  collection: Collection,
  actionId: string,
): Promise<void> => {
  const { projectId, id: collectionId } = collection
  const data = describeCollection(deps, collection)
  const resource = collectionPath(collection)
  await startAction(deps, tx, { id: actionId, projectId, action: 'collections.create', data, resource })
  await deps.jobs.enqueue(tx, 'collections.create', { projectId, collectionId, actionId, attempt: 1 })
}
