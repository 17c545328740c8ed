import type { Action } from 'kassa/schema'
import type { Deps } from '../deps.js'
import type { ActionRow } from './findPendingAction.js'

/** Converts an action to its form in the interface. */
export const viewAction = (
  { config }: Pick<Deps, 'config'>,
  { id, action, status, data, startedAt, completedAt, resource }: ActionRow,
): Action => ({
  actionId: id,
  action,
  status,
  data,
  startedAt: startedAt.toISOString(),
  ...(completedAt && { completedAt: completedAt.toISOString() }),
  resource: `${config.publicUrl}/api${resource}`,
})
