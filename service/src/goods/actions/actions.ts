import { and, eq } from 'drizzle-orm'
import {
  type Action,
  type ActionData,
  type ActionError,
  type ActionName,
  members,
  operations,
  type WebhookEventType,
} from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { actions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import type { WriteResult } from '#base/ports/write.js'
import { requireServerScope } from '#identity/authorize.js'
import { emitEvent } from '#notify/webhooks/emitEvent.js'

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

/**
 * Converts a chain's refusal of a write to the error of an action and its event.
 *
 * @source interface.md "Events"
 */
export const toActionError = ({ reason, call }: Extract<WriteResult, { status: 'failed' }>): ActionError => ({
  reason: 'execution_reverted',
  message: `The transaction reverted: ${reason}`,
  revertReason: reason,
  ...(call && { callInfo: call }),
})

/** A new action that changes a chain. */
export type ActionInput = {
  id: string
  projectId: string
  action: ActionName
  data: ActionData
  /** Path of its subject, below `{base_url}`. */
  resource: string
}

/** Inserts actions, in the transaction that requests them. */
export const startActions = async (
  { now }: Pick<Deps, 'now'>,
  tx: Transaction,
  inputs: readonly ActionInput[],
): Promise<ActionRow[]> => {
  const startedAt = new Date(now())
  const rows = inputs.map((input) => ({ ...input, status: 'pending' as const, startedAt }))
  return tx.insert(actions).values(rows).returning()
}

/** Inserts an action, in the transaction that requests it. */
export const startAction = async (
  deps: Pick<Deps, 'now'>,
  tx: Transaction,
  input: ActionInput,
): Promise<ActionRow> => {
  const [action] = await startActions(deps, tx, [input])
  if (!action) throw new Error('an action was not written')
  return action
}

/** An action as the database stores it. */
type ActionRow = typeof actions.$inferSelect

/** Finds an action that has not ended. */
export const findPendingAction = async (
  db: Database | Transaction,
  actionId: string,
): Promise<ActionRow | undefined> => {
  const [row] = await db
    .select()
    .from(actions)
    .where(and(eq(actions.id, actionId), eq(actions.status, 'pending')))
  return row
}

const isEventType = (text: string): text is WebhookEventType =>
  members.webhookEventTypes.some((type) => type === text)

/**
 * Ends an action, and emits its event in the same transaction. Ending it again changes nothing.
 *
 * @param data - What is known now in addition to what was known at its start.
 */
export const finishAction = async (
  deps: Pick<Deps, 'jobs' | 'now' | 'config' | 'randomBytes'>,
  tx: Transaction,
  actionId: string,
  end: { status: 'succeeded' | 'failed'; data: ActionData },
): Promise<void> => {
  const [known] = await tx.select().from(actions).where(eq(actions.id, actionId)).for('update')
  if (known?.status !== 'pending') return
  const completedAtMs = deps.now()
  const data = { ...known.data, ...end.data }
  await tx
    .update(actions)
    .set({ status: end.status, data, completedAt: new Date(completedAtMs) })
    .where(eq(actions.id, actionId))
  const type = `${known.action}.${end.status}`
  if (!isEventType(type)) return
  const { projectId, resource, startedAt } = known
  const event = { projectId, type, actionId, data, resource, startedAtMs: startedAt.getTime() }
  await emitEvent(deps, tx, { ...event, ...(end.status === 'succeeded' && { completedAtMs }) })
}

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
