import { and, desc, eq } from 'drizzle-orm'
import { unknownKey } from 'kassa/engine'
import type {
  ApiKeyList,
  ApiKey as ApiKeyView,
  CreateApiKeyBody,
  CreatedApiKey,
  RollApiKeyBody,
} from 'kassa/schema'
import type { Actor, Call } from '#base/call.js'
import { afterCommit } from '#base/db/commitTasks.js'
import { apiKeys, consoleAccounts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError, toServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import type { Scope } from '#base/scopes.js'
import { assertScope, requireScope, requireServerScope } from '../authorize.js'
import { alertOwners } from '../projects/alertOwners.js'
import { lockTeam } from '../projects/projects.js'
import { newApiKey, readPermissions, revokeKey, type StoredKey, saveKey } from './apiKeys.js'

type ManageDeps = Pick<Deps, 'db' | 'jobs' | 'notices' | 'now' | 'randomBytes' | 'config'>

const hourMs = 60 * 60_000

const statusOf = ({ revokedAt, expiresAt }: StoredKey, nowMs: number): ApiKeyView['status'] => {
  if (revokedAt) return 'revoked'
  if (!expiresAt) return 'active'
  return expiresAt.getTime() > nowMs ? 'expiring' : 'revoked'
}

/** Returns a key as its project sees it, without the key itself. */
export const viewKey = (key: StoredKey, nowMs: number): ApiKeyView => ({
  keyId: key.id,
  ...(key.name !== null && { name: key.name }),
  kind: key.kind,
  scopes: key.scopes,
  origins: key.origins,
  status: statusOf(key, nowMs),
  createdAt: key.createdAt.toISOString(),
  ...(key.lastUsedAt && { lastUsedAt: key.lastUsedAt.toISOString() }),
  ...(key.expiresAt && { expiresAt: key.expiresAt.toISOString() }),
  ...(key.revokedAt && { revokedAt: key.revokedAt.toISOString() }),
})

/** Refuses to give a key more than the caller has, or `keys.manage` would stand for every scope. */
const requireAll = (actor: Actor, granted: readonly Scope[]): void => {
  for (const scope of granted) requireScope(actor, scope)
}

/**
 * Lists the API keys of a project, newest first, without the keys themselves.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const listApiKeys = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { actor }: Call,
  { page, perPage }: { page: number; perPage: number },
): Promise<ApiKeyList> => {
  requireServerScope(actor, 'keys.manage')
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.projectId, actor.projectId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { data: rows.map((row) => viewKey(row, now())) }
}

type NewKey = {
  kind: 'server' | 'client'
  scopes: Scope[]
  origins: string[]
  name: string | undefined
}

type Maker = {
  makerId: string | null
  /** Names the caller. */
  maker: string
}

/**
 * Locks the team, and finds who makes a key: the account on whose role it depends, which is the caller's or the maker
 * of the caller's key, and the name of the caller.
 * A caller whose role or key ended meanwhile makes no key.
 *
 * @throws {@link ServiceError} `forbidden`, `key-invalid`.
 */
const lockMaker = async (
  tx: Parameters<Call['complete']>[0],
  { actor }: Call,
  granted: readonly Scope[],
): Promise<Maker> => {
  await lockTeam(tx, actor.projectId)
  if (actor.kind === 'session') {
    const isIt = eq(consoleAccounts.id, actor.accountId)
    const [account] = await tx.select({ role: consoleAccounts.role }).from(consoleAccounts).where(isIt)
    if (account?.role !== actor.role) throw new ServiceError('forbidden', 'Your role was taken away')
    return { makerId: actor.accountId, maker: actor.accountName }
  }
  const keyId = actor.kind === 'client-secret' ? '' : actor.keyId
  const [own] = isUuid(keyId) ? await tx.select().from(apiKeys).where(eq(apiKeys.id, keyId)) : []
  if (!own || own.revokedAt) throw toServiceError(unknownKey())
  // This process may remember scopes that the key has lost.
  for (const scope of ['keys.manage', ...granted] as const) assertScope(own.scopes, scope)
  return { makerId: own.makerId, maker: `the API key ${own.name ?? own.id}` }
}

/** Stores a new key in a transaction and completes the call with it. */
const addKey = async (
  deps: ManageDeps,
  tx: Parameters<Call['complete']>[0],
  { actor, complete }: Call,
  { kind, maker, ...input }: NewKey & Maker,
): Promise<CreatedApiKey> => {
  const { notices, now, randomBytes, config } = deps
  const { projectId } = actor
  const key = newApiKey(kind, config.environment, randomBytes)
  const keyId = await saveKey({ db: tx, notices }, { ...input, key, projectId })
  const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, keyId))
  if (!row) throw new Error('the key was not saved')
  const subject = `${input.name ?? keyId} (${input.scopes.join(', ')})`
  await alertOwners(deps, tx, { kind: 'key', projectId, actor: maker, subject })
  const answer = { ...viewKey(row, now()), key }
  await complete(tx, { status: 201, body: answer })
  return answer
}

/**
 * Creates an API key with scopes that the caller has itself.
 *
 * @returns The key itself, which is shown only this once.
 * @throws {@link ServiceError} `forbidden`, naming a scope that the caller lacks; `input-invalid`.
 */
export const createApiKey = async (
  deps: ManageDeps,
  call: Call,
  { name, kind = 'server', ...body }: CreateApiKeyBody,
): Promise<CreatedApiKey> => {
  requireServerScope(call.actor, 'keys.manage')
  const { scopes = kind === 'client' ? ['orders.create'] : [], origins = [] } = body
  const permissions = readPermissions(kind, { scopes, origins })
  requireAll(call.actor, permissions.scopes)
  return deps.db.transaction(async (tx) => {
    const maker = await lockMaker(tx, call, permissions.scopes)
    return addKey(deps, tx, call, { name, kind, ...permissions, ...maker })
  })
}

/**
 * Replaces an API key by a new one with the same name, scopes and origins. The old one works as long as the caller says.
 *
 * @returns The new key, which is shown only this once.
 * @throws {@link ServiceError} `forbidden`, naming a scope that the caller lacks; `not-found`, also for another
 * project's; `conflict` if it is rolled or revoked already.
 */
export const rollApiKey = async (
  deps: ManageDeps,
  call: Call,
  { keyId, keepHours = 0 }: RollApiKeyBody & { keyId: string },
): Promise<CreatedApiKey> => {
  const { actor } = call
  requireServerScope(actor, 'keys.manage')
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const isOwn = and(eq(apiKeys.id, keyId), eq(apiKeys.projectId, actor.projectId))
    const [old] = isUuid(keyId) ? await tx.select().from(apiKeys).where(isOwn).for('update') : []
    if (!old) throw new ServiceError('not-found', 'Not found')
    requireAll(actor, old.scopes)
    if (old.revokedAt ?? old.expiresAt)
      throw new ServiceError('conflict', 'This key was already rolled or revoked')
    const maker = await lockMaker(tx, call, old.scopes)
    const endsAt = new Date(deps.now() + keepHours * hourMs)
    const end = keepHours ? { expiresAt: endsAt } : { revokedAt: endsAt }
    await tx.update(apiKeys).set(end).where(eq(apiKeys.id, old.id))
    afterCommit(tx, () => deps.notices.tell('keys', old.id))
    const { kind, scopes, origins, name } = old
    return addKey(deps, tx, call, { kind, scopes, origins, ...maker, name: name ?? undefined })
  })
}

/**
 * Revokes an API key.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, also for another project's.
 */
export const revokeApiKey = async (
  deps: Pick<Deps, 'db' | 'notices' | 'now'>,
  { actor }: Call,
  { keyId }: { keyId: string },
): Promise<ApiKeyView> => {
  requireServerScope(actor, 'keys.manage')
  const { projectId } = actor
  return viewKey(await revokeKey(deps, { keyId, projectId }), deps.now())
}
