import { and, asc, eq, isNull } from 'drizzle-orm'
import { type EndpointStatus, members, type WebhookEventType } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { projects, webhookDeliveries, webhookEndpoints } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid, isUuid } from '#base/lib/uuid.js'
import { lockMasterKey } from '#identity/keys/lockMasterKey.js'
import {
  createSecret,
  type EndpointSecret,
  type NewSecret,
  openSecrets,
  type SecretDeps,
} from './endpointSecrets.js'
import { type EndpointKey, lockEndpoint, type StoredEndpoint } from './lockEndpoint.js'

const isEventType = (text: string): text is WebhookEventType =>
  members.webhookEventTypes.some((type) => type === text)

/**
 * Reads the event types that an endpoint subscribes to; `all` stands for every type.
 *
 * @throws {@link ServiceError} `input-invalid`.
 */
export const readEventTypes = (names: readonly string[]): readonly WebhookEventType[] => {
  if (names.length === 1 && names[0] === 'all') return members.webhookEventTypes
  if (!names.length) throw new ServiceError('input-invalid', 'types: expected at least one, or all')
  return names.map((name) => {
    if (isEventType(name)) return name
    throw new ServiceError('input-invalid', `types: there is no event type ${name}`)
  })
}

/** The URL and the event types of a new endpoint. */
type CreateEndpointInput = {
  projectId: string
  /** A URL that has been checked as allowed. */
  url: string
  eventTypes: readonly WebhookEventType[]
}

/**
 * Registers an endpoint for its project's events from now on, and returns the signing secret.
 *
 * @param complete - Ends the call in the same transaction.
 */
export const createEndpoint = async (
  deps: SecretDeps,
  { projectId, url, eventTypes }: CreateEndpointInput,
  complete: (tx: Transaction, created: NewSecret) => Promise<void> = async () => {},
): Promise<{ id: string; endpoint: StoredEndpoint; secret: string }> => {
  const id = createUuid(deps.randomBytes)
  const { secret, encrypted } = await createSecret(deps, id)
  const createdAt = new Date(deps.now())
  const row = { id, projectId, url, eventTypes: [...new Set(eventTypes)], createdAt }
  return deps.db.transaction(async (tx) => {
    await lockMasterKey(tx, encrypted)
    const [endpoint] = await tx
      .insert(webhookEndpoints)
      .values({ ...row, secrets: [{ encrypted }] })
      .returning()
    if (!endpoint) throw new Error('the endpoint was not saved')
    await complete(tx, { endpoint, secret })
    return { id, endpoint, secret }
  })
}

/** An endpoint as the operator sees it. */
type Endpoint = {
  id: string
  project: string
  url: string
  eventTypes: WebhookEventType[]
  createdAt: Date
}

const columns = {
  id: webhookEndpoints.id,
  project: projects.name,
  url: webhookEndpoints.url,
  eventTypes: webhookEndpoints.eventTypes,
  createdAt: webhookEndpoints.createdAt,
}

const isKept = isNull(webhookEndpoints.removedAt)

/** Lists the active endpoints, of one project or of all, oldest first. */
export const listEndpoints = (
  { db }: Pick<Deps, 'db'>,
  { projectId }: { projectId?: string | undefined },
): Promise<Endpoint[]> =>
  db
    .select(columns)
    .from(webhookEndpoints)
    .innerJoin(projects, eq(projects.id, webhookEndpoints.projectId))
    .where(and(isKept, projectId === undefined ? undefined : eq(webhookEndpoints.projectId, projectId)))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))

/**
 * Returns one endpoint with its currently valid signing secrets.
 *
 * @throws {@link ServiceError} `not-found`, also for a removed one.
 */
export const getEndpoint = async (
  { vault, db, now }: Pick<SecretDeps, 'vault' | 'db' | 'now'>,
  { endpointId }: { endpointId: string },
): Promise<Endpoint & { secrets: EndpointSecret[] }> => {
  const [row] = isUuid(endpointId)
    ? await db
        .select({ ...columns, sealed: webhookEndpoints.secrets })
        .from(webhookEndpoints)
        .innerJoin(projects, eq(projects.id, webhookEndpoints.projectId))
        .where(and(isKept, eq(webhookEndpoints.id, endpointId)))
    : []
  if (!row) throw new ServiceError('not-found', `there is no webhook endpoint ${endpointId}`)
  const { sealed, ...endpoint } = row
  return { ...endpoint, secrets: await openSecrets(vault, { id: row.id, secrets: sealed }, now()) }
}

/** Changes of an endpoint. Absent fields stay as they are. */
type UpdateEndpointInput = EndpointKey & {
  /** A URL that has been checked as allowed. */
  url?: string | undefined
  eventTypes?: readonly WebhookEventType[] | undefined
  status?: EndpointStatus | undefined
}

/** Ends the deliveries that wait to be sent to an endpoint. They can be sent again by hand. */
const failPending = async (tx: Transaction, endpointId: string, failure: string, at: Date) => {
  const end = { status: 'failed' as const, lastFailure: failure, nextAttemptAt: null, updatedAt: at }
  const isWaiting = and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, 'pending'))
  await tx.update(webhookDeliveries).set(end).where(isWaiting)
}

/**
 * Changes an endpoint's URL, also for pending deliveries, and its event types from now on. Its secrets stay. A disabled
 * endpoint receives no events, and its pending deliveries fail.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const updateEndpoint = (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { url, eventTypes, status, ...key }: UpdateEndpointInput,
): Promise<StoredEndpoint> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    const endpoint = await lockEndpoint(tx, key)
    const disabledAt = status === 'enabled' ? null : (endpoint.disabledAt ?? at)
    const changes = {
      ...(url !== undefined && { url }),
      ...(eventTypes && { eventTypes: [...new Set(eventTypes)] }),
      ...(status !== undefined && { disabledAt }),
    }
    await tx.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.id, endpoint.id))
    if (status === 'disabled') await failPending(tx, endpoint.id, disabledFailure, at)
    return { ...endpoint, ...changes }
  })

/** The failure of deliveries to a removed endpoint. */
export const removedFailure = 'the endpoint was removed'
/** The failure of deliveries to a disabled endpoint. */
export const disabledFailure = 'the endpoint is disabled'

/**
 * Removes an endpoint. It receives nothing more, its pending deliveries fail, and its secrets are deleted.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const removeEndpoint = (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  key: EndpointKey,
): Promise<StoredEndpoint> =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    const endpoint = await lockEndpoint(tx, key)
    const { id } = endpoint
    await tx.update(webhookEndpoints).set({ removedAt: at, secrets: [] }).where(eq(webhookEndpoints.id, id))
    await failPending(tx, id, removedFailure, at)
    return endpoint
  })
