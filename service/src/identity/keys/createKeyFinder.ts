import { eq } from 'drizzle-orm'
import { unknownKey } from 'kassa/engine'
import { cacheRows } from '#base/db/cacheRows.js'
import { apiKeys } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { toServiceError } from '#base/errors.js'
import { findKey, type KnownKey } from './apiKeys.js'
import { hashSecret } from './secret.js'

/** Finds an API key and its project. */
export type KeyFinder = (key: string) => Promise<KnownKey>

/** How exactly the last use is recorded, so that nearly no request writes it. */
const usedMs = 60 * 60_000

/**
 * Creates a finder of keys that remembers the keys in use, until a process saves or revokes one. About once an hour it
 * records that a key is used.
 */
export const createKeyFinder = (deps: Pick<Deps, 'db' | 'notices' | 'log' | 'now' | 'config'>): KeyFinder => {
  const { db, log, now, config } = deps
  const known = cacheRows<KnownKey>(deps, 'keys')
  const recordUse = async (key: KnownKey, nowMs: number): Promise<void> => {
    if (key.lastUsedAt && nowMs - key.lastUsedAt.getTime() < usedMs) return
    const lastUsedAt = new Date(nowMs)
    // Requests that come meanwhile, and those that find the cached row, record nothing.
    key.lastUsedAt = lastUsedAt
    await db
      .update(apiKeys)
      .set({ lastUsedAt })
      .where(eq(apiKeys.id, key.id))
      .catch((err) => log.warn({ err, keyId: key.id }, 'the use of a key was not recorded'))
  }
  return async (key) => {
    const found = await known(hashSecret(key), () => findKey(db, config.environment, key, now()))
    const nowMs = now()
    // The end of a rolled key comes without a notice.
    if (found.expiresAt && found.expiresAt.getTime() <= nowMs) throw toServiceError(unknownKey())
    await recordUse(found, nowMs)
    return found
  }
}
