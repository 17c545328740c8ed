import { and, eq } from 'drizzle-orm'
import { type Action, operations } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { actions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'
import { viewAction } from './viewAction.js'

/**
 * Gets the status of an action.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source interface.md "Get action status"; answers.md "Actions"
 */
export const getAction = async (
  deps: Pick<Deps, 'db' | 'config'>,
  call: Call,
  { actionId }: { actionId: string },
): Promise<Action> => {
  requireServerScope(call.actor, operations.getAction.scope)
  const isOwn = eq(actions.projectId, call.actor.projectId)
  const [row] = isUuid(actionId)
    ? await deps.db
        .select()
        .from(actions)
        .where(and(eq(actions.id, actionId), isOwn))
    : []
  if (!row) throw new ServiceError('not-found', 'Not found')
  return viewAction(deps, row)
}
