import { and, eq, isNull, sql } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import type { Config } from '#base/config/config.js'
import { beforeCommit } from '#base/db/commitTasks.js'
import { createStatement } from '#base/db/createStatement.js'
import type { Transaction } from '#base/db/database.js'
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'
import type { Deps } from '#base/deps.js'

/** What emitting an event needs. The only setting is the URL at which clients reach the service. */
export type EventDeps = Pick<Deps, 'jobs' | 'now' | 'randomBytes'> & { config: Pick<Config, 'publicUrl'> }

/** An event as its receivers get it. */
export type EventInput = {
  projectId: string
  type: WebhookEventType
  /** The id of the action, the order or the transaction that it concerns. */
  actionId: string
  startedAtMs: number
  /** Absent on failure. */
  completedAtMs?: number
  data: unknown
  /** The order that it concerns. */
  orderId?: string
  /** Path of its subject, below `{base_url}`. */
  resource: string
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'eventTypes'>
const known = new WeakMap<Transaction, Map<string, Promise<Endpoint[]>>>()

const readEnabled = createStatement('webhook_endpoints_enabled', (tx) =>
  tx
    .select({ id: webhookEndpoints.id, eventTypes: webhookEndpoints.eventTypes })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.projectId, sql.placeholder('projectId')),
        isNull(webhookEndpoints.removedAt),
        isNull(webhookEndpoints.disabledAt),
      ),
    ),
)

/** Reads the endpoints of a project, once for all events of a transaction. */
const readEndpoints = (tx: Transaction, projectId: string): Promise<Endpoint[]> => {
  const ofProjects = known.get(tx) ?? new Map<string, Promise<Endpoint[]>>()
  known.set(tx, ofProjects)
  const endpoints = ofProjects.get(projectId) ?? readEnabled(tx, { projectId })
  ofProjects.set(projectId, endpoints)
  return endpoints
}

/** An event, and the endpoints to send it to. */
type EventToWrite = Omit<EventInput, 'type'> & {
  type: WebhookEventType | typeof testEventType
  endpointIds: readonly string[]
}

/** The type of the event that an endpoint receives as a test. No endpoint subscribes to it. */
export const testEventType = 'webhooks.test'

type EventRows = {
  event: typeof webhookEvents.$inferInsert
  deliveries: (typeof webhookDeliveries.$inferInsert)[]
}

const insertEventRows = createInsert(webhookEvents, [
  'id',
  'projectId',
  'type',
  'body',
  'orderId',
  'createdAt',
])
const insertDeliveries = createInsert(webhookDeliveries, [
  'eventId',
  'endpointId',
  'status',
  'nextAttemptAt',
  'updatedAt',
])

const insertEvents = async (tx: Transaction, written: readonly EventRows[]): Promise<void> => {
  await insertEventRows(
    tx,
    written.map(({ event }) => event),
  )
  await insertDeliveries(
    tx,
    written.flatMap(({ deliveries }) => deliveries),
  )
}

/** Prints an event, with its deliveries, and enqueues the jobs that send it. */
const createRows = async (
  deps: EventDeps,
  tx: Transaction,
  {
    projectId,
    type,
    actionId,
    startedAtMs,
    completedAtMs,
    data,
    resource,
    orderId,
    endpointIds,
  }: EventToWrite,
): Promise<EventRows> => {
  const nowMs = deps.now()
  const createdAt = new Date(nowMs)
  const id = `msg_${Buffer.from(deps.randomBytes(18)).toString('base64url')}`
  const body = JSON.stringify({
    type,
    actionId,
    startedAt: iso(startedAtMs),
    ...(completedAtMs !== undefined && { completedAt: iso(completedAtMs) }),
    data,
    resource: `${deps.config.publicUrl}/api${resource}`,
    timestamp: nowMs,
  })
  for (const endpointId of endpointIds)
    await deps.jobs.enqueue(tx, 'webhooks.send', { eventId: id, endpointId, round: 1, attempt: 1 })
  return {
    event: { id, projectId, type, body, orderId, createdAt },
    deliveries: endpointIds.map((endpointId) => ({
      eventId: id,
      endpointId,
      status: 'pending',
      nextAttemptAt: createdAt,
      updatedAt: createdAt,
    })),
  }
}

/** Writes an event and its deliveries, and returns its id. */
export const writeEvent = async (deps: EventDeps, tx: Transaction, input: EventToWrite): Promise<string> => {
  const rows = await createRows(deps, tx, input)
  await insertEvents(tx, [rows])
  return rows.event.id
}

/**
 * Writes an event for every endpoint that subscribes to it, in the transaction that makes it true, together with the
 * other events of that transaction. It is sent if, and only if, that commits.
 *
 * @source interface.md "Events"; answers.md "Webhooks"
 */
export const emitEvent = async (
  deps: EventDeps,
  tx: Transaction,
  { projectId, type, actionId, startedAtMs, completedAtMs, data, resource, orderId }: EventInput,
): Promise<void> => {
  const endpoints = await readEndpoints(tx, projectId)
  const wanted = endpoints.filter(({ eventTypes }) => eventTypes.includes(type))
  if (!wanted.length) return
  const rows = await createRows(deps, tx, {
    endpointIds: wanted.map(({ id }) => id),
    projectId,
    type,
    actionId,
    startedAtMs,
    data,
    resource,
    ...(completedAtMs !== undefined && { completedAtMs }),
    ...(orderId !== undefined && { orderId }),
  })
  await beforeCommit(tx, insertEvents, rows)
}
