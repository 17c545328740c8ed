import { and, asc, eq, isNull } from 'drizzle-orm'
import type { WebhookEventType } from 'kassa/schema'
import { projects, webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'
import { type EndpointSecret, openSecrets, type SecretDeps } from './endpointSecrets.js'

/** An endpoint as the operator sees it. */
export type Endpoint = {
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
