import { and, eq, isNull } from 'drizzle-orm'
import type { Scope } from '../call.js'
import type { Database } from '../db/database.js'
import { apiKeys } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { type Environment, type KeyKind, parseApiKey } from './apiKey.js'
import { hashSecret, isSecret } from './secret.js'

/** A key as the database stores it. */
export type KnownKey = {
  id: string
  projectId: string
  kind: KeyKind
  scopes: readonly Scope[]
  origins: readonly string[]
}

/** Refuses a malformed API key before the database is queried. */
export const assertWellFormedKey = (key: string): { environment: Environment } => {
  const parsed = parseApiKey(key)
  if (!parsed) throw new ServiceError('key-invalid', 'X-API-KEY: malformed API key')
  return parsed
}

/**
 * Finds an API key and its project.
 *
 * @throws {@link ServiceError} `key-invalid` if it is malformed, of the other environment, unknown or
 * revoked.
 */
export const findKey = async (db: Database, environment: Environment, key: string): Promise<KnownKey> => {
  const parsed = assertWellFormedKey(key)
  if (parsed.environment !== environment) {
    throw new ServiceError(
      'key-invalid',
      `X-API-KEY: this is a key of the ${parsed.environment} environment, not of ${environment}`,
    )
  }
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.secretHash, hashSecret(key)), isNull(apiKeys.revokedAt)))
  if (!row || !isSecret(key, row.secretHash))
    throw new ServiceError('key-invalid', 'X-API-KEY: unknown API key')
  return row
}
