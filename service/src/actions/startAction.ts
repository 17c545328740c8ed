import type { ActionData, ActionName } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ActionRow } from './findPendingAction.js'

/** A new action that changes a chain. */
export type ActionInput = {
  id: string
  projectId: string
  action: ActionName
  data: ActionData
  /** Path of its subject, below `{base_url}`. */
  resource: string
}

/** Inserts an action, in the transaction that requests it. */
export const startAction = async (
  { now }: Pick<Deps, 'now'>,
  tx: Transaction,
  input: ActionInput,
): Promise<ActionRow> => {
  const row = { ...input, status: 'pending' as const, startedAt: new Date(now()) }
  const [action] = await tx.insert(actions).values(row).returning()
  if (!action) throw new Error('an action was not written')
  return action
}
