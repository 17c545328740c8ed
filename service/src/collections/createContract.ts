import { findPendingAction } from '../actions/findPendingAction.js'
import { finishAction } from '../actions/finishAction.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { ensureContractUri } from './ensureContractUri.js'
import { putContract } from './putContract.js'
import { requireChain } from './requireChain.js'
import { requireCollection } from './requireCollection.js'
import { retryWrite } from './retryWrite.js'

/**
 * Puts a new collection's contract on its chain and ends the action of its creation. Killed at any line and run
 * again, it puts there one.
 */
export const createContract =
  (deps: Deps): JobHandler<'collections.create'> =>
  async (job) => {
    const { projectId, collectionId, actionId, attempt } = job
    if (!(await findPendingAction(deps.db, actionId))) return
    const known = await requireCollection(deps.db, projectId, collectionId)
    const chain = requireChain(deps, known)
    await chain.ready()
    const turn = { id: actionId, attempt }
    const written = await putContract(deps, chain, await ensureContractUri(deps, known), turn)
    if (written.status === 'failed') return retryWrite(deps, 'collections.create', job, written)
    const { txId } = written
    await deps.db.transaction((tx) =>
      finishAction(deps, tx, actionId, { status: 'succeeded', data: { txId } }),
    )
  }
