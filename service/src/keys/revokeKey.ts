import { eq, sql } from 'drizzle-orm'
import { apiKeys } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'

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
