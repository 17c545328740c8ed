import { and, asc, eq, sql } from 'drizzle-orm'
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
import { createStatement } from '#base/db/createStatement.js'
import type { Database, Transaction } from '#base/db/database.js'
import { actions } from '#base/db/tables/index.js'
import { createInsert, createUpdate } from '#base/db/writeRows.js'
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

const insertRows = createInsert(actions, [
  'id',
  'projectId',
  'action',
  'data',
  'resource',
  'status',
  'startedAt',
])

/** Inserts actions, in the transaction that requests them. */
export const startActions = async (
  { now }: Pick<Deps, 'now'>,
  tx: Transaction,
  inputs: readonly ActionInput[],
): Promise<ActionRow[]> => {
  const startedAt = new Date(now())
  const rows = inputs.map((input) => ({
    ...input,
    status: 'pending' as const,
    startedAt,
    completedAt: null,
  }))
  await insertRows(tx, rows)
  return rows
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

/** How an action ended, and what is known now in addition to what was known at its start. */
type ActionEnd = { status: 'succeeded' | 'failed'; data: ActionData }

type FinishDeps = Pick<Deps, 'jobs' | 'now' | 'config' | 'randomBytes'>

const lockRows = createStatement('actions_lock', (tx) =>
  tx
    .select()
    .from(actions)
    .where(sql`${actions.id} = any(${sql.placeholder('ids')})`)
    .orderBy(asc(actions.id))
    .for('update'),
)

const updateRows = createUpdate(actions, { match: ['id'], set: ['status', 'data', 'completedAt'] })

/** Ends actions, and emits their events in the same transaction. Ending one again changes nothing. */
export const finishActions = async (
  deps: FinishDeps,
  tx: Transaction,
  ends: readonly (ActionEnd & { actionId: string })[],
): Promise<void> => {
  if (!ends.length) return
  const rows = await lockRows(tx, { ids: ends.map(({ actionId }) => actionId) })
  const known = new Map(rows.map((row) => [row.id, row]))
  const completedAtMs = deps.now()
  const ended = ends.flatMap(({ actionId, status, data }) => {
    const row = known.get(actionId)
    if (row?.status !== 'pending') return []
    return [{ ...row, status, data: { ...row.data, ...data }, completedAt: new Date(completedAtMs) }]
  })
  await updateRows(tx, ended)
  for (const { id: actionId, action, status, data, projectId, resource, startedAt } of ended) {
    const type = `${action}.${status}`
    if (!isEventType(type)) continue
    const event = { projectId, type, actionId, data, resource, startedAtMs: startedAt.getTime() }
    await emitEvent(deps, tx, { ...event, ...(status === 'succeeded' && { completedAtMs }) })
  }
}

/** Ends an action, as {@link finishActions}. */
export const finishAction = (
  deps: FinishDeps,
  tx: Transaction,
  actionId: string,
  end: ActionEnd,
): Promise<void> => finishActions(deps, tx, [{ actionId, ...end }])

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
