import type { WebhookEventType } from 'kassa/schema'
import { webhookEndpoints } from '../db/tables/index.js'
import { lockMasterKey } from '../keys/lockMasterKey.js'
import { createUuid } from '../lib/createUuid.js'
import { createSecret, type SecretDeps } from './endpointSecrets.js'

/** The URL and the event types of a new endpoint. */
export type CreateEndpointInput = {
  projectId: string
  /** A URL that has been checked as allowed. */
  url: string
  eventTypes: readonly WebhookEventType[]
}

/** Registers an endpoint for its project's events from now on, and returns the signing secret. */
export const createEndpoint = async (
  deps: SecretDeps,
  { projectId, url, eventTypes }: CreateEndpointInput,
): Promise<{ id: string; secret: string }> => {
  const id = createUuid(deps.randomBytes)
  const { secret, encrypted } = await createSecret(deps, id)
  const createdAt = new Date(deps.now())
  const row = { id, projectId, url, eventTypes: [...new Set(eventTypes)], createdAt }
  await deps.db.transaction(async (tx) => {
    await lockMasterKey(tx, encrypted)
    await tx.insert(webhookEndpoints).values({ ...row, secrets: [{ encrypted }] })
  })
  return { id, secret }
}
