import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { projects, webhookDeliveries, webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { testEventType } from './emitEvent.js'
import { lockEndpoint } from './lockEndpoint.js'

/**
 * Gets an event in the exact bytes that its endpoints receive.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const getEventBody = async (
  { db }: Pick<Deps, 'db'>,
  { eventId }: { eventId: string },
): Promise<string> => {
  const [event] = await db
    .select({ body: webhookEvents.body })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, eventId))
  if (!event) throw new ServiceError('not-found', `there is no event ${eventId}`)
  return event.body
}

/** The delivery of one event to one endpoint, as the operator sees it. */
export type Delivery = {
  eventId: string
  type: WebhookEventType | typeof testEventType
  project: string
  endpointId: string
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  lastStatus: number | null
  lastFailure: string | null
  nextAttemptAt: Date | null
  createdAt: Date
}

/** The filters of the list of deliveries. */
type ListDeliveriesInput = {
  projectId?: string | undefined
  endpointId?: string | undefined
  /** Whether to list only those that failed permanently. */
  isFailed: boolean
  limit: number
}

/** Lists the latest deliveries, newest event first. */
export const listDeliveries = (
  { db }: Pick<Deps, 'db'>,
  { projectId, endpointId, isFailed, limit }: ListDeliveriesInput,
): Promise<Delivery[]> =>
  db
    .select({
      eventId: webhookEvents.id,
      type: webhookEvents.type,
      project: projects.name,
      endpointId: webhookDeliveries.endpointId,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      lastStatus: webhookDeliveries.lastStatus,
      lastFailure: webhookDeliveries.lastFailure,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      createdAt: webhookEvents.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(projects, eq(projects.id, webhookEvents.projectId))
    .where(
      and(
        projectId === undefined ? undefined : eq(webhookEvents.projectId, projectId),
        endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId),
        isFailed ? eq(webhookDeliveries.status, 'failed') : undefined,
      ),
    )
    .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
    .limit(limit)

/** What to replay: one event, to one endpoint or to all it was sent to; or all that an endpoint missed. */
type ReplayInput = { eventId: string; endpointId?: string | undefined } | { endpointId: string }

const perTransaction = 200

type ReplayDeps = Pick<Deps, 'db' | 'jobs' | 'now'>

/** Starts a new round, so that the jobs of the last one do nothing. */
export const restartDelivery = async (
  deps: Pick<Deps, 'jobs' | 'now'>,
  tx: Transaction,
  key: { eventId: string; endpointId: string },
) => {
  const at = new Date(deps.now())
  const [row] = await tx
    .update(webhookDeliveries)
    .set({
      status: 'pending',
      attempts: 0,
      round: sql`${webhookDeliveries.round} + 1`,
      nextAttemptAt: at,
      updatedAt: at,
    })
    .where(and(eq(webhookDeliveries.eventId, key.eventId), eq(webhookDeliveries.endpointId, key.endpointId)))
    .returning({ round: webhookDeliveries.round })
  if (row) await deps.jobs.enqueue(tx, 'webhooks.send', { ...key, round: row.round, attempt: 1 })
}

/** Restarts a limited number of the requested deliveries whose endpoints still exist, and returns them. */
export const restartDeliveries = async (
  deps: Pick<Deps, 'jobs' | 'now'>,
  tx: Transaction,
  input: ReplayInput,
): Promise<{ eventId: string; endpointId: string }[]> => {
  const { endpointId } = input
  const isAsked =
    'eventId' in input ? eq(webhookDeliveries.eventId, input.eventId) : eq(webhookDeliveries.status, 'failed')
  if (endpointId !== undefined) await lockEndpoint(tx, { endpointId })
  const isThere = endpointId === undefined ? undefined : eq(webhookDeliveries.endpointId, endpointId)
  const keys = await tx
    .select({ eventId: webhookDeliveries.eventId, endpointId: webhookDeliveries.endpointId })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(and(isAsked, isThere, isNull(webhookEndpoints.removedAt), isNull(webhookEndpoints.disabledAt)))
    .limit(perTransaction)
  for (const key of keys) await restartDelivery(deps, tx, key)
  return keys
}

const replaySome = (deps: ReplayDeps, input: ReplayInput): Promise<number> =>
  deps.db.transaction(async (tx) => (await restartDeliveries(deps, tx, input)).length)

/**
 * Sends events again, from the first attempt, under their original `webhook-id`.
 *
 * @returns How many deliveries were restarted.
 * @throws {@link ServiceError} `not-found` for an unknown endpoint, or an event without a remaining endpoint.
 */
export const replayDeliveries = async (deps: ReplayDeps, input: ReplayInput): Promise<number> => {
  let count = await replaySome(deps, input)
  if ('eventId' in input) {
    if (count) return count
    const where = input.endpointId === undefined ? '' : ` for endpoint ${input.endpointId}`
    throw new ServiceError('not-found', `there is no event ${input.eventId}${where}`)
  }
  for (let more = count; more === perTransaction; count += more) more = await replaySome(deps, input)
  return count
}
