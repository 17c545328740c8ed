import { eq } from 'drizzle-orm'
import type { AuditEntry, AuditEntryList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database } from '#base/db/database.js'
import { type PageRequest, readNewest } from '#base/db/readNewest.js'
import { auditEntries } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '../authorize.js'

/** An act as the database stores it. */
type StoredEvent = typeof auditEntries.$inferSelect

/** How an act ended. */
export type Outcome = StoredEvent['outcome']

/** What is known of an act. It contains no secret and nothing of a request's body. */
export type Act = Pick<StoredEvent, 'projectId' | 'actor' | 'operation' | 'resource' | 'outcome'> &
  Partial<Pick<StoredEvent, 'accountId' | 'requestId' | 'ipAddress'>>

const longestResource = 500

/** Writes an act to the audit log, and returns its id. */
export const recordAct = async (
  { randomBytes, now }: Pick<Deps, 'randomBytes' | 'now'>,
  tx: Database,
  { resource, ...act }: Act,
): Promise<string> => {
  const id = createUuid(randomBytes)
  const createdAt = new Date(now())
  await tx
    .insert(auditEntries)
    .values({ ...act, id, createdAt, resource: resource.slice(0, longestResource) })
  return id
}

/** Records how a pending act ended and, if only then it is known, what it acted on. */
export const endAct = async (
  db: Database,
  id: string,
  { outcome, resource }: { outcome: Outcome; resource?: string | undefined },
): Promise<void> => {
  const end = { outcome, ...(resource !== undefined && { resource: resource.slice(0, longestResource) }) }
  await db.update(auditEntries).set(end).where(eq(auditEntries.id, id))
}

const view = ({
  id,
  actor,
  accountId,
  requestId,
  ipAddress,
  createdAt,
  ...row
}: StoredEvent): AuditEntry => ({
  entryId: id,
  actor: { name: actor, ...(accountId !== null && { accountId }) },
  operation: row.operation,
  resource: row.resource,
  outcome: row.outcome,
  ...(requestId !== null && { requestId }),
  ...(ipAddress !== null && { ipAddress }),
  createdAt: createdAt.toISOString(),
})

/**
 * Lists what people did in the project's console, newest first.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`.
 */
export const listAuditEntries = async (
  { db }: Pick<Deps, 'db'>,
  call: Call,
  request: PageRequest,
): Promise<AuditEntryList> => {
  requireServerScope(call.actor, 'audit.read')
  const { rows, ...cursors } = await readNewest(request, auditEntries, ({ beyond, order, limit }) =>
    db
      .select()
      .from(auditEntries)
      .where(beyond(eq(auditEntries.projectId, call.actor.projectId)))
      .orderBy(...order)
      .limit(limit),
  )
  return { data: rows.map(view), ...cursors }
}
