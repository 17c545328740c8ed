import { findPendingAction } from '../actions/findPendingAction.js'
import { finishAction } from '../actions/finishAction.js'
import { attemptKey, type ChainPort, type WriteResult } from '../chains/port.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { toCollectionRef, toCollectionTerms } from './collectionRef.js'
import { ensureContractUri } from './ensureContractUri.js'
import type { Collection } from './findCollection.js'
import { putContract } from './putContract.js'
import { requireChain } from './requireChain.js'
import { requireCollection } from './requireCollection.js'
import { retryWrite } from './retryWrite.js'

const writeUpdate = async (
  chain: ChainPort,
  collection: Collection,
  attempts: number,
): Promise<WriteResult> => {
  const contract = await putContract(chain, collection, attempts)
  if (contract.status === 'failed') return contract
  const [ref, terms] = [toCollectionRef(collection), toCollectionTerms(collection)]
  const input = { collection: ref, revision: BigInt(collection.revision), terms }
  const key = `update:${ref.key}:${collection.revision}`
  for (let attempt = 1; ; attempt++) {
    const updated = await chain.updateCollection(attemptKey(key, attempt), input)
    if (updated.status === 'succeeded' || attempt >= attempts) return updated
  }
}

/**
 * Takes a collection as it is now to its chain, and ends the action that asked for it. Of several changes the
 * chain keeps the newest, in whatever order their jobs run: each writes the present terms under the present revision.
 */
export const updateContract =
  (deps: Deps): JobHandler<'collections.update'> =>
  async (job) => {
    const { actionId, attempt } = job
    const action = await findPendingAction(deps.db, actionId)
    if (!action) return
    const { projectId, data } = action
    const known = await requireCollection(deps.db, projectId, data.collection?.id ?? '')
    const chain = requireChain(deps, known)
    await chain.ready()
    const written = await writeUpdate(chain, await ensureContractUri(deps, known), attempt)
    if (written.status === 'failed') return retryWrite(deps, 'collections.update', job, written)
    const { txId } = written
    await deps.db.transaction((tx) =>
      finishAction(deps, tx, actionId, { status: 'succeeded', data: { txId } }),
    )
  }
