import { eq } from 'drizzle-orm'
import { type ActionData, type WebhookEventType, webhookEventTypes } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { actions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { emitEvent } from '../webhooks/emitEvent.js'

const isEventType = (text: string): text is WebhookEventType =>
  webhookEventTypes.some((type) => type === text)

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
