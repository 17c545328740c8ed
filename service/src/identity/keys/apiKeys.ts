import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { assertKeyOf, type KeyEnvironment, type KeyKind, parseApiKey, unknownKey } from 'kassa/engine'
import { afterCommit } from '#base/db/commitTasks.js'
import type { Database } from '#base/db/database.js'
import { apiKeys } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError, toServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { type Scope, scopes } from '#base/scopes.js'
import { hashSecret, isSecret, newSecret } from './secret.js'

/** Creates an API key: `sk_<environment>_…` for servers, `ck_<environment>_…` for browsers. */
export const newApiKey = (
  kind: KeyKind,
  environment: KeyEnvironment,
  randomBytes: (length: number) => Uint8Array,
): string => newSecret(`${kind === 'server' ? 'sk' : 'ck'}_${environment}`, randomBytes)

/** A key as the database stores it. */
export type StoredKey = typeof apiKeys.$inferSelect

/** What is known of the key of a request. */
export type KnownKey = {
  id: string
  projectId: string
  kind: KeyKind
  scopes: readonly Scope[]
  origins: readonly string[]
  /** When a key that was rolled stops working. */
  expiresAt: Date | null
  lastUsedAt: Date | null
}

const isActive = (nowMs: number) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(nowMs))))

/**
 * Finds an API key and its project.
 *
 * @throws {@link ServiceError} `key-invalid` if it is malformed, of the other environment, unknown or
 * revoked.
 */
export const findKey = async (
  db: Database,
  environment: KeyEnvironment,
  key: string,
  nowMs: number = Date.now(),
): Promise<KnownKey> => {
  checkInput(() => assertKeyOf(environment, key))
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.secretHash, hashSecret(key)), isActive(nowMs)))
  if (!row || !isSecret(key, row.secretHash)) throw toServiceError(unknownKey())
  return row
}

/** What changing a key needs: other processes may remember the key, and are told. */
type KeyDeps = Pick<Deps, 'db' | 'notices'>

/** The kind of a new key and its permissions. */
type CreateKeyInput = {
  kind: KeyKind
  environment: KeyEnvironment
  projectId: string
  scopes: readonly string[]
  origins: readonly string[]
  name?: string | undefined
}

/**
 * Creates and stores an API key.
 *
 * @returns The key itself, which is shown only this once.
 * @throws {@link ServiceError} `input-invalid` for an unknown scope or a bad origin.
 */
export const createKey = async (
  deps: KeyDeps & Pick<Deps, 'randomBytes'>,
  { kind, environment, ...input }: CreateKeyInput,
): Promise<string> => {
  const key = newApiKey(kind, environment, deps.randomBytes)
  await saveKey(deps, { ...input, key })
  return key
}

/** A key as the operator sees it, without the key itself. */
type ListedKey = {
  id: string
  name: string | null
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
      name: apiKeys.name,
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
 * Revokes a key: in this process from the next call on, in others once they have the notice or, without one, after
 * 5 seconds. Revoking it again keeps the first time.
 *
 * @param projectId - The project whose key it must be; by default any.
 * @throws {@link ServiceError} `not-found`.
 */
export const revokeKey = async (
  { db, notices, now }: KeyDeps & Pick<Deps, 'now'>,
  { keyId, projectId }: { keyId: string; projectId?: string },
): Promise<StoredKey> => {
  const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${new Date(now()).toISOString()}::timestamptz)`
  const isIt = and(
    eq(apiKeys.id, keyId),
    projectId === undefined ? undefined : eq(apiKeys.projectId, projectId),
  )
  const [revoked] = isUuid(keyId) ? await db.update(apiKeys).set({ revokedAt }).where(isIt).returning() : []
  if (!revoked) throw new ServiceError('not-found', `there is no key ${keyId}`)
  afterCommit(db, () => notices.tell('keys', keyId))
  return revoked
}

/** A key to store, and its permissions. */
type SaveKeyInput = {
  projectId: string
  /** The whole key. Only its hash is stored. */
  key: string
  scopes: readonly string[]
  /** Web origins, such as `https://shop.example`. A client key needs them, and a server key has none. */
  origins: readonly string[]
  name?: string | undefined
  /** The account of the console that makes it. */
  makerId?: string | null
}

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

const parseOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin
  throw new ServiceError('input-invalid', `origin: expected something like https://shop.example, not ${text}`)
}

/**
 * Reads the permissions of a key.
 *
 * @throws {@link ServiceError} `input-invalid` for an unknown scope, a bad origin, or a scope that client
 * keys may not have.
 */
export const readPermissions = (
  kind: KeyKind,
  input: Pick<SaveKeyInput, 'scopes' | 'origins'>,
): { scopes: Scope[]; origins: string[] } => {
  const granted = [...new Set(input.scopes)].map((scope) => {
    if (!isScope(scope)) throw new ServiceError('input-invalid', `scopes: there is no scope ${scope}`)
    if (kind === 'client' && scope !== 'orders.create') {
      throw new ServiceError(
        'input-invalid',
        `scopes: a client key may only have orders.create, not ${scope}`,
      )
    }
    return scope
  })
  const origins = [...new Set(input.origins.map(parseOrigin))]
  if (kind === 'server' && origins.length > 0) {
    throw new ServiceError('input-invalid', 'origin: only client keys have origins')
  }
  if (!granted.length) throw new ServiceError('input-invalid', 'scopes: expected at least one')
  if (kind === 'client' && !origins.length) {
    throw new ServiceError('input-invalid', 'origin: a client key needs at least one')
  }
  return { scopes: granted, origins }
}

/**
 * Stores an API key. Saving a key again updates its scopes and origins.
 *
 * @returns The id of the key.
 * @throws {@link ServiceError} `input-invalid` for an unknown scope, a bad origin, or a scope that client
 * keys may not have.
 */
export const saveKey = async ({ db, notices }: KeyDeps, input: SaveKeyInput): Promise<string> => {
  const parsed = parseApiKey(input.key)
  if (!parsed) throw new ServiceError('input-invalid', 'key: malformed')
  const permissions = readPermissions(parsed.kind, input)
  const { projectId, key, name, makerId } = input
  const [saved] = await db
    .insert(apiKeys)
    .values({ projectId, kind: parsed.kind, secretHash: hashSecret(key), ...permissions, name, makerId })
    .onConflictDoUpdate({ target: apiKeys.secretHash, set: permissions })
    .returning({ id: apiKeys.id })
  if (!saved) throw new Error('the key was not saved')
  afterCommit(db, () => notices.tell('keys', saved.id))
  return saved.id
}
