import type { Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ActionInput } from './startAction.js'

/** Writes down an action that found nothing to do: it has succeeded, and there is nothing to tell endpoints of. */
export const recordUnchanged = async (
  { now }: Pick<Deps, 'now'>,
  tx: Transaction,
  { data, ...input }: ActionInput,
): Promise<void> => {
  const at = new Date(now())
  const row = { ...input, data: { ...data, changes: [] }, startedAt: at, completedAt: at }
  await tx.insert(actions).values({ ...row, status: 'succeeded' })
}
