import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type Scope, scopes } from '../call.js'
import type { Database } from '../db/database.js'
import { apiKeys } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'
import { hashSecret, isSecret, newSecret } from './secret.js'

/** The kind of caller that a key is for: a server, or browsers. */
type KeyKind = 'server' | 'client'
/** The networks of a deployment: test or main ones. */
type Environment = 'staging' | 'production'

const form = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/

/** Parses an API key. Returns `undefined` if it is malformed. */
export const parseApiKey = (text: string): { kind: KeyKind; environment: Environment } | undefined => {
  const [, kind, environment] = form.exec(text) ?? []
  if (!kind) return undefined
  return {
    kind: kind === 'sk' ? 'server' : 'client',
    environment: environment === 'staging' ? 'staging' : 'production',
  }
}

/** Creates an API key: `sk_<environment>_…` for servers, `ck_<environment>_…` for browsers. */
export const newApiKey = (
  kind: KeyKind,
  environment: Environment,
  randomBytes: (length: number) => Uint8Array,
): string => newSecret(`${kind === 'server' ? 'sk' : 'ck'}_${environment}`, randomBytes)

/** A key as the database stores it. */
type KnownKey = {
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

/** The kind of a new key and its permissions. */
type CreateKeyInput = {
  kind: KeyKind
  environment: Environment
  projectId: string
  scopes: readonly string[]
  origins: readonly string[]
}

/**
 * Creates and stores an API key.
 *
 * @returns The key itself, which is shown only this once.
 * @throws {@link ServiceError} `input-invalid` for an unknown scope or a bad origin.
 */
export const createKey = async (
  deps: { db: Database; randomBytes(length: number): Uint8Array },
  { kind, environment, ...input }: CreateKeyInput,
): Promise<string> => {
  const key = newApiKey(kind, environment, deps.randomBytes)
  await saveKey(deps.db, { ...input, key })
  return key
}

/** A key as the operator sees it, without the key itself. */
type ListedKey = {
  id: string
  kind: KeyKind
  scopes: Scope[]
  origins: string[]
  createdAt: Date
  revokedAt: Date | null
}

/** Lists the keys of a project, oldest first, including revoked ones. */
export const listKeys = (db: Database, { projectId }: { projectId: string }): Promise<ListedKey[]> =>
  db
    .select({
      id: apiKeys.id,
      kind: apiKeys.kind,
      scopes: apiKeys.scopes,
      origins: apiKeys.origins,
      createdAt: apiKeys.createdAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.projectId, projectId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))

/**
 * Revokes a key from the next call on. Revoking it again keeps the first time.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const revokeKey = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { keyId }: { keyId: string },
): Promise<void> => {
  const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${new Date(now()).toISOString()}::timestamptz)`
  const [revoked] = isUuid(keyId)
    ? await db.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.id, keyId)).returning({ id: apiKeys.id })
    : []
  if (!revoked) throw new ServiceError('not-found', `there is no key ${keyId}`)
}

/** A key to store, and its permissions. */
type SaveKeyInput = {
  projectId: string
  /** The whole key. Only its hash is stored. */
  key: string
  scopes: readonly string[]
  /** Web origins, such as `https://shop.example`. A client key needs them, and a server key has none. */
  origins: readonly string[]
}

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

const parseOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin
  throw new ServiceError('input-invalid', `origin: expected something like https://shop.example, not ${text}`)
}

/**
 * Stores an API key. Saving a key again updates its scopes and origins.
 *
 * @throws {@link ServiceError} `input-invalid` for an unknown scope, a bad origin, or a scope that client
 * keys may not have.
 */
export const saveKey = async (db: Database, input: SaveKeyInput): Promise<string> => {
  const parsed = parseApiKey(input.key)
  if (!parsed) throw new ServiceError('input-invalid', 'key: malformed')
  const granted = [...new Set(input.scopes)].map((scope) => {
    if (!isScope(scope)) throw new ServiceError('input-invalid', `scopes: there is no scope ${scope}`)
    if (parsed.kind === 'client' && scope !== 'orders.create') {
      throw new ServiceError(
        'input-invalid',
        `scopes: a client key may only have orders.create, not ${scope}`,
      )
    }
    return scope
  })
  const origins = [...new Set(input.origins.map(parseOrigin))]
  if (parsed.kind === 'server' && origins.length > 0) {
    throw new ServiceError('input-invalid', 'origin: only a client key is bound to origins')
  }
  if (!granted.length) throw new ServiceError('input-invalid', 'scopes: expected at least one')
  if (parsed.kind === 'client' && !origins.length) {
    throw new ServiceError('input-invalid', 'origin: a client key needs at least one')
  }
  const [saved] = await db
    .insert(apiKeys)
    .values({
      projectId: input.projectId,
      kind: parsed.kind,
      secretHash: hashSecret(input.key),
      scopes: granted,
      origins,
    })
    .onConflictDoUpdate({ target: apiKeys.secretHash, set: { scopes: granted, origins } })
    .returning({ id: apiKeys.id })
  if (!saved) throw new Error('the key was not saved')
  return saved.id
}
