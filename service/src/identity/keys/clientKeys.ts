import { and, eq, gt, isNull, or } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { apiKeys } from '#base/db/tables/index.js'

/** A project's client keys, without those that were revoked or have ended. */
const openClientKeys = (projectId: string, nowMs: number) =>
  and(
    eq(apiKeys.projectId, projectId),
    eq(apiKeys.kind, 'client'),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(nowMs))),
  )

/** Whether a project lets strangers order: whether it has a client key that may create orders. */
export const sellsToStrangers = async (db: Database, projectId: string, nowMs: number): Promise<boolean> => {
  const rows = await db
    .select({ scopes: apiKeys.scopes })
    .from(apiKeys)
    .where(openClientKeys(projectId, nowMs))
  return rows.some(({ scopes }) => scopes.includes('orders.create'))
}

/** Lists the origins that a project's client keys allow, without those of revoked keys. */
export const listOrigins = async (db: Database, projectId: string, nowMs: number): Promise<string[]> => {
  const rows = await db
    .select({ origins: apiKeys.origins })
    .from(apiKeys)
    .where(openClientKeys(projectId, nowMs))
  return [...new Set(rows.flatMap(({ origins }) => origins))].sort()
}
