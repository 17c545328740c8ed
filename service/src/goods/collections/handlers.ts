import { nextAttemptAtMs, promptMs } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import type { JobData, JobHandler } from '#base/ports/jobs.js'
import type { WriteResult } from '#base/ports/write.js'
import { findPendingAction, finishAction, toActionError } from '../actions/actions.js'
import { ensureContractUri, putContract } from './contract.js'
import { requireChain, requireCollection } from './findCollection.js'
import { writeTerms } from './writeTerms.js'

/**
 * Takes a collection as it is now to its chain, and ends the action that asked for it. Of several changes the
 * chain keeps the newest, in whatever order their jobs run: each writes the present terms under the present revision.
 */
const updateContract =
  (deps: Deps): JobHandler<'collections.update'> =>
  async (job) => {
    const { actionId, attempt } = job
    const action = await findPendingAction(deps.db, actionId)
    if (!action) return
    const { projectId, data } = action
    const known = await requireCollection(deps.db, projectId, data.collection?.id ?? '')
    const chain = requireChain(deps, known)
    await chain.ready()
    const collection = await ensureContractUri(deps, known)
    const turn = { id: actionId, attempt }
    const contract = await putContract(deps, chain, collection, turn)
    const written = contract.status === 'failed' ? contract : await writeTerms(deps, chain, collection, turn)
    if (written.status === 'failed') return retryWrite(deps, 'collections.update', job, written)
    const { txId } = written
    await deps.db.transaction((tx) =>
      finishAction(deps, tx, actionId, { status: 'succeeded', data: { txId } }),
    )
  }

/**
 * Puts a new collection's contract on its chain and ends the action of its creation. Killed at any line and run
 * again, it puts there one.
 */
const createContract =
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

/** The handlers of every job about collections, by name. */
export type CollectionHandlers = {
  [Name in 'collections.create' | 'collections.update']: JobHandler<Name>
}

/** Makes the handlers of the jobs that collections ask for. */
export const createCollectionHandlers = (deps: Deps): CollectionHandlers => ({
  'collections.create': createContract(deps),
  'collections.update': updateContract(deps),
})

/** Tries again later what the chain refused; after the last attempt its action has failed. */
const retryWrite = <Name extends 'collections.create' | 'collections.update'>(
  deps: Deps,
  name: Name,
  data: JobData[Name],
  refusal: Extract<WriteResult, { status: 'failed' }>,
): Promise<void> => {
  const { actionId, attempt } = data
  deps.log.error({ actionId, attempt, reason: refusal.reason }, 'the chain refused a collection')
  return deps.db.transaction(async (tx) => {
    const againAtMs = nextAttemptAtMs(attempt, deps.now(), promptMs)
    if (againAtMs === undefined) {
      const error = toActionError(refusal)
      return finishAction(deps, tx, actionId, { status: 'failed', data: { error } })
    }
    const next = { ...data, attempt: attempt + 1 }
    await deps.jobs.enqueue(tx, name, next, { startAfter: new Date(againAtMs) })
  })
}
