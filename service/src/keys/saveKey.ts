import { type Scope, scopes } from '../call.js'
import type { Database } from '../db/database.js'
import { apiKeys } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { parseApiKey } from './apiKey.js'
import { hashSecret } from './secret.js'

/** A key to store, and its permissions. */
export type SaveKeyInput = {
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
