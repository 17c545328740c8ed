import { readApiKey, readApiKeyList, readCreatedApiKey } from '../schema/developerReaders.js'
import type { ApiKey, ApiKeyList, CreateApiKeyBody, CreatedApiKey, RollApiKeyBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link listApiKeys}. */
export type ListApiKeysParameters = KeyCallParameters & PageParameters

/**
 * Lists the API keys of a project, newest first, page by page. The keys themselves are not shown.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `keys.manage`, …
 */
export const listApiKeys = (
  client: Client,
  { page, perPage, ...call }: ListApiKeysParameters = {},
): Promise<ApiKeyList> =>
  requestBody(client, {
    operation: operations.listApiKeys,
    params: {},
    query: writeQuery({ page, perPage }),
    answer: readApiKeyList,
    ...call,
  })

/** Parameters of {@link createApiKey}. */
export type CreateApiKeyParameters = KeyCallParameters & {
  body: CreateApiKeyBody
  /** Within 24 hours, the same key and body return the first answer instead of creating another key. */
  idempotencyKey?: string | undefined
}

/**
 * Creates an API key. The answer contains the key itself, which is shown only this once. A caller can give the scopes
 * that it has itself.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.forbidden` without a server key that has
 * `keys.manage` and every scope of the new key, …
 */
export const createApiKey = (
  client: Client,
  { body, ...call }: CreateApiKeyParameters,
): Promise<CreatedApiKey> =>
  requestBody(client, {
    operation: operations.createApiKey,
    params: {},
    answer: readCreatedApiKey,
    body,
    ...call,
  })

/** Parameters of {@link rollApiKey}. */
export type RollApiKeyParameters = KeyCallParameters & {
  keyId: string
  /** How long the old key still works. By default, the service refuses it at once. */
  body?: RollApiKeyBody | undefined
  /** Within 24 hours, the same key and body return the first answer instead of creating another key. */
  idempotencyKey?: string | undefined
}

/**
 * Replaces an API key by a new one with the same name, scopes and origins.
 *
 * @returns The new key, which is shown only this once.
 * @throws {@link KassaError} `api.conflict` if it is rolled or revoked already, `api.not-found`, `api.forbidden` without
 * a server key that has `keys.manage` and every scope of the key, …
 */
export const rollApiKey = (
  client: Client,
  { keyId, body = {}, ...call }: RollApiKeyParameters,
): Promise<CreatedApiKey> =>
  requestBody(client, {
    operation: operations.rollApiKey,
    params: { keyId },
    answer: readCreatedApiKey,
    body,
    ...call,
  })

/** Parameters of {@link revokeApiKey}. */
export type RevokeApiKeyParameters = KeyCallParameters & { keyId: string }

/**
 * Revokes an API key. The service refuses it at once, or after 5 seconds where its processes cannot reach each other.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `keys.manage`, …
 */
export const revokeApiKey = (client: Client, { keyId, ...call }: RevokeApiKeyParameters): Promise<ApiKey> =>
  requestBody(client, {
    operation: operations.revokeApiKey,
    params: { keyId },
    answer: readApiKey,
    ...call,
  })
