import { nextAttemptAtMs, promptMs } from 'kassa/engine'
import { finishAction, toActionError } from '../actions/actions.js'
import type { Deps } from '../deps.js'
import type { WriteResult } from '../ports/chain.js'
import type { JobData } from '../ports/jobs.js'

/** Tries again later what the chain refused; after the last attempt its action has failed. */
export const retryWrite = <Name extends 'collections.create' | 'collections.update'>(
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
