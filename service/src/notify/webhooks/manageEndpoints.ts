import { and, asc, eq, isNull } from 'drizzle-orm'
import type {
  CreateWebhookEndpointBody,
  RotateWebhookSecretBody,
  UpdateWebhookEndpointBody,
  WebhookEndpointList,
  WebhookEndpointSecret,
  WebhookEndpoint as WebhookEndpointView,
} from 'kassa/schema'
import type { Call } from '#base/call.js'
import { webhookEndpoints } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { type NewSecret, rotateSecret, type SecretDeps } from './endpointSecrets.js'
import { createEndpoint, removeEndpoint, updateEndpoint } from './endpoints.js'
import { isEndpoint, type StoredEndpoint } from './lockEndpoint.js'

type UrlDeps = Pick<Deps, 'checkEndpointUrl'>

const hourMs = 60 * 60_000
const usualKeepHours = 24

const view = ({ id, url, eventTypes, disabledAt, createdAt }: StoredEndpoint): WebhookEndpointView => ({
  endpointId: id,
  url,
  eventTypes,
  status: disabledAt ? 'disabled' : 'enabled',
  createdAt: createdAt.toISOString(),
})

const viewSecret = ({ endpoint, secret }: NewSecret): WebhookEndpointSecret => ({ ...view(endpoint), secret })

/** Checks the URL that a caller chose for an endpoint, before a transaction, because it may look up its host. */
const readUrl = ({ checkEndpointUrl }: UrlDeps, url: string): Promise<string> =>
  checkEndpointUrl(url).catch((error: unknown) => {
    throw error instanceof ServiceError ? new ServiceError(error.code, `url: ${error.message}`) : error
  })

/**
 * Lists the webhook endpoints of a project, oldest first, without their secrets.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const listWebhookEndpoints = async (
  { db }: Pick<Deps, 'db'>,
  { actor }: Call,
  { page, perPage }: { page: number; perPage: number },
): Promise<WebhookEndpointList> => {
  requireServerScope(actor, 'webhooks.read')
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.projectId, actor.projectId), isNull(webhookEndpoints.removedAt)))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { data: rows.map(view) }
}

/**
 * Gets a webhook endpoint, without its secret.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getWebhookEndpoint = async (
  { db }: Pick<Deps, 'db'>,
  { actor }: Call,
  { endpointId }: { endpointId: string },
): Promise<WebhookEndpointView> => {
  requireServerScope(actor, 'webhooks.read')
  const isOwn = isEndpoint({ endpointId, projectId: actor.projectId })
  const [row] = isUuid(endpointId) ? await db.select().from(webhookEndpoints).where(isOwn) : []
  if (!row) throw new ServiceError('not-found', 'Not found')
  return view(row)
}

/**
 * Creates a webhook endpoint.
 *
 * @returns The endpoint with its secret, which is shown only this once.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`.
 */
export const createWebhookEndpoint = async (
  deps: SecretDeps & UrlDeps,
  { actor, complete }: Call,
  body: CreateWebhookEndpointBody,
): Promise<WebhookEndpointSecret> => {
  requireServerScope(actor, 'webhooks.manage')
  const input = { ...body, url: await readUrl(deps, body.url), projectId: actor.projectId }
  const created = await createEndpoint(deps, input, (tx, made) =>
    complete(tx, { status: 201, body: viewSecret(made) }),
  )
  return viewSecret(created)
}

/**
 * Changes the URL or the event types of a webhook endpoint, or disables or enables it.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 */
export const updateWebhookEndpoint = async (
  deps: Pick<Deps, 'db' | 'now'> & UrlDeps,
  { actor }: Call,
  { url, ...input }: UpdateWebhookEndpointBody & { endpointId: string },
): Promise<WebhookEndpointView> => {
  requireServerScope(actor, 'webhooks.manage')
  const changes = { ...input, ...(url !== undefined && { url: await readUrl(deps, url) }) }
  return view(await updateEndpoint(deps, { ...changes, projectId: actor.projectId }))
}

/**
 * Removes a webhook endpoint.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const removeWebhookEndpoint = async (
  deps: Pick<Deps, 'db' | 'now'>,
  { actor }: Call,
  { endpointId }: { endpointId: string },
): Promise<WebhookEndpointView> => {
  requireServerScope(actor, 'webhooks.manage')
  return view(await removeEndpoint(deps, { endpointId, projectId: actor.projectId }))
}

/**
 * Gives a webhook endpoint a new secret. For some time, events are signed with the old one too.
 *
 * @returns The endpoint with the secret, which is shown only this once.
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const rotateWebhookSecret = async (
  deps: SecretDeps,
  { actor, complete }: Call,
  { endpointId, keepHours = usualKeepHours }: RotateWebhookSecretBody & { endpointId: string },
): Promise<WebhookEndpointSecret> => {
  requireServerScope(actor, 'webhooks.manage')
  const input = { endpointId, projectId: actor.projectId, keepMs: keepHours * hourMs }
  const created = await rotateSecret(deps, input, (tx, made) =>
    complete(tx, { status: 201, body: viewSecret(made) }),
  )
  return viewSecret(created)
}
