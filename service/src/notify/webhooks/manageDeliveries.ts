import { and, desc, eq } from 'drizzle-orm'
import type {
  WebhookAttempt,
  WebhookDeliveryList,
  WebhookDelivery as WebhookDeliveryView,
} from 'kassa/schema'
import type { Actor, Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { webhookAttempts, webhookDeliveries, webhookEvents } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { restartDelivery } from './deliveries.js'
import { type EventDeps, testEventType, writeEvent } from './emitEvent.js'
import { lockEndpoint, type StoredEndpoint } from './lockEndpoint.js'
import { getWebhookEndpoint } from './manageEndpoints.js'

type Stored = { delivery: typeof webhookDeliveries.$inferSelect; event: typeof webhookEvents.$inferSelect }

const view = ({ delivery, event }: Stored): WebhookDeliveryView => ({
  endpointId: delivery.endpointId,
  eventId: event.id,
  type: event.type,
  status: delivery.status,
  attemptCount: delivery.attempts,
  ...(delivery.lastStatus !== null && { lastStatus: delivery.lastStatus }),
  ...(delivery.lastFailure !== null && { failure: delivery.lastFailure }),
  ...(delivery.nextAttemptAt && { nextAttemptAt: delivery.nextAttemptAt.toISOString() }),
  createdAt: event.createdAt.toISOString(),
})

const notFound = () => new ServiceError('not-found', 'Not found')

type DeliveryKey = { endpointId: string; eventId: string }

/** Selects deliveries of events of the caller's project. An event belongs to the project of its endpoints. */
const selectDeliveries = (db: Database | Transaction) =>
  db
    .select({ delivery: webhookDeliveries, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))

/** The ids of events, such that the database reads no text that it cannot store. */
const eventForm = /^msg_[\w-]{1,40}$/

const findDelivery = async (
  db: Database | Transaction,
  { projectId }: Pick<Actor, 'projectId'>,
  { endpointId, eventId }: DeliveryKey,
): Promise<Stored> => {
  if (!eventForm.test(eventId)) throw notFound()
  const [found] = await selectDeliveries(db).where(
    and(
      eq(webhookEvents.projectId, projectId),
      eq(webhookEvents.id, eventId),
      eq(webhookDeliveries.endpointId, endpointId),
    ),
  )
  if (!found) throw notFound()
  return found
}

/**
 * Lists the deliveries to a webhook endpoint, newest event first.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const listWebhookDeliveries = async (
  deps: Pick<Deps, 'db'>,
  call: Call,
  { endpointId, page, perPage }: { endpointId: string; page: number; perPage: number },
): Promise<WebhookDeliveryList> => {
  await getWebhookEndpoint(deps, call, { endpointId })
  const rows = await selectDeliveries(deps.db)
    .where(
      and(eq(webhookEvents.projectId, call.actor.projectId), eq(webhookDeliveries.endpointId, endpointId)),
    )
    .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { data: rows.map(view) }
}

const maxAttempts = 50

const viewAttempt = ({
  at,
  status,
  failure,
  durationMs,
}: typeof webhookAttempts.$inferSelect): WebhookAttempt => ({
  at: at.toISOString(),
  ...(status !== null && { status }),
  ...(failure !== null && { failure }),
  durationMs,
})

/**
 * Gets a delivery with the body that the endpoint receives and the last attempts.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getWebhookDelivery = async (
  deps: Pick<Deps, 'db'>,
  call: Call,
  key: DeliveryKey,
): Promise<WebhookDeliveryView> => {
  await getWebhookEndpoint(deps, call, key)
  const found = await findDelivery(deps.db, call.actor, key)
  const { eventId, endpointId } = found.delivery
  const attempts = await deps.db
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.eventId, eventId), eq(webhookAttempts.endpointId, endpointId)))
    .orderBy(desc(webhookAttempts.round), desc(webhookAttempts.attempt))
    .limit(maxAttempts)
  return { ...view(found), body: found.event.body, attempts: attempts.map(viewAttempt) }
}

/** Locks an endpoint of the caller that receives events. */
const lockEnabled = async (tx: Transaction, actor: Actor, endpointId: string): Promise<StoredEndpoint> => {
  const endpoint = await lockEndpoint(tx, { endpointId, projectId: actor.projectId })
  if (endpoint.disabledAt) throw new ServiceError('conflict', 'This endpoint is disabled: enable it first')
  return endpoint
}

/**
 * Sends a test event to a webhook endpoint, whatever types it receives.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `conflict` if it is disabled.
 */
export const sendTestEvent = (
  deps: EventDeps & Pick<Deps, 'db'>,
  { actor, complete }: Call,
  { endpointId }: { endpointId: string },
): Promise<WebhookDeliveryView> => {
  requireServerScope(actor, 'webhooks.manage')
  return deps.db.transaction(async (tx) => {
    const endpoint = await lockEnabled(tx, actor, endpointId)
    const nowMs = deps.now()
    const eventId = await writeEvent(deps, tx, {
      projectId: actor.projectId,
      endpointIds: [endpoint.id],
      type: testEventType,
      actionId: createUuid(deps.randomBytes),
      startedAtMs: nowMs,
      completedAtMs: nowMs,
      data: { endpointId: endpoint.id, message: 'This is a test. Nothing happened.' },
      resource: `/2022-06-09/webhook-endpoints/${endpoint.id}`,
    })
    const answer = view(await findDelivery(tx, actor, { endpointId: endpoint.id, eventId }))
    await complete(tx, { status: 201, body: answer })
    return answer
  })
}

/**
 * Sends an event to a webhook endpoint once more, from the first attempt on.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `conflict` if the endpoint is disabled.
 */
export const resendWebhook = (
  deps: Pick<Deps, 'db' | 'jobs' | 'now'>,
  { actor, complete }: Call,
  key: DeliveryKey,
): Promise<WebhookDeliveryView> => {
  requireServerScope(actor, 'webhooks.manage')
  return deps.db.transaction(async (tx) => {
    const { id: endpointId } = await lockEnabled(tx, actor, key.endpointId)
    const { delivery } = await findDelivery(tx, actor, { ...key, endpointId })
    await restartDelivery(deps, tx, { endpointId, eventId: delivery.eventId })
    const answer = view(await findDelivery(tx, actor, { endpointId, eventId: delivery.eventId }))
    await complete(tx, { status: 201, body: answer })
    return answer
  })
}
