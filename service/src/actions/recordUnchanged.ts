import type { Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ActionInput } from './startAction.js'

/** Records an action that had nothing to do: it has succeeded, without an event. */
export const recordUnchanged = async (
  { now }: Pick<Deps, 'now'>,
  tx: Transaction,
  { data, ...input }: ActionInput,
): Promise<void> => {
  const at = new Date(now())
  const row = { ...input, data: { ...data, changes: [] }, startedAt: at, completedAt: at }
  await tx.insert(actions).values({ ...row, status: 'succeeded' })
}
