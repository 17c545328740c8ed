import { asc, eq } from 'drizzle-orm'
import type { Scope } from '../call.js'
import type { Database } from '../db/database.js'
import { apiKeys } from '../db/tables/index.js'
import type { KeyKind } from './apiKey.js'

/** A key as the operator sees it, without the key itself. */
export type ListedKey = {
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
