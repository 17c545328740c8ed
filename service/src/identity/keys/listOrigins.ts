import { and, eq, gt, isNull, or } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { apiKeys } from '#base/db/tables/index.js'

/** Lists the origins that a project's client keys allow, without those of revoked keys. */
export const listOrigins = async (db: Database, projectId: string, nowMs: number): Promise<string[]> => {
  const isOpen = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(nowMs))),
  )
  const rows = await db
    .select({ origins: apiKeys.origins })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), eq(apiKeys.kind, 'client'), isOpen))
  return [...new Set(rows.flatMap(({ origins }) => origins))].sort()
}
