import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { usedIdempotencyKey } from 'kassa/engine'
import { BuiltQuery } from '#base/db/BuiltQuery.js'
import { beforeCommit } from '#base/db/commitTasks.js'
import { createStatement } from '#base/db/createStatement.js'
import type { Database, Transaction } from '#base/db/database.js'
import { idempotencyKeys } from '#base/db/tables/index.js'
import { ServiceError, toServiceError } from '#base/errors.js'
import { deleteInBatches } from '#base/lib/deleteInBatches.js'

/** How long a claim lasts before another request may take it over. */
const leaseMs = 30_000

/**
 * The result of claiming a request: this caller may handle it, it has been handled, or another is handling
 * it.
 */
export type Claim =
  | { status: 'ours'; claim: string }
  | { status: 'done'; replyStatus: number; reply: Uint8Array }
  | { status: 'pending' }

const claimRow = createStatement('idempotency_keys_claim', (db) => {
  const { placeholder } = sql
  const row = {
    bodyHash: sql`${placeholder('bodyHash')}`,
    claim: sql`${placeholder('claim')}`,
    leaseExpiresAt: sql`${placeholder('leaseExpiresAt')}`,
    createdAt: sql`${placeholder('createdAt')}`,
    status: null,
    reply: null,
  }
  return db
    .insert(idempotencyKeys)
    .values({ id: placeholder('id'), ...row })
    .onConflictDoUpdate({
      target: idempotencyKeys.id,
      set: row,
      setWhere: sql`${lt(idempotencyKeys.createdAt, placeholder('keptSince'))}
        or ${isNull(idempotencyKeys.reply)} and ${lt(idempotencyKeys.leaseExpiresAt, placeholder('createdAt'))}`,
    })
    .returning({ id: idempotencyKeys.id })
})

/**
 * Claims a request in one statement, so that one of any number of concurrent callers gets it.
 *
 * @param times.keepMs - How long an answer is repeated.
 * @throws {@link ServiceError} `conflict` if the key was used with another body.
 */
export const claimKey = async (
  db: Database,
  { id, bodyHash }: { id: string; bodyHash: string },
  { nowMs, keepMs }: { nowMs: number; keepMs: number },
): Promise<Claim> => {
  const claim = randomUUID()
  const [won] = await claimRow(db, {
    id,
    bodyHash,
    claim,
    leaseExpiresAt: new Date(nowMs + leaseMs),
    createdAt: new Date(nowMs),
    keptSince: new Date(nowMs - keepMs),
  })
  if (won) return { status: 'ours', claim }
  const [held] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.id, id))
  if (held && held.bodyHash !== bodyHash) {
    throw toServiceError(usedIdempotencyKey())
  }
  if (!held?.reply || held.status === null) return { status: 'pending' }
  return { status: 'done', replyStatus: held.status, reply: held.reply }
}

/** A key that this caller has claimed. */
type ClaimedKey = { id: string; claim: string }

/** A claimed key, and what it is answered. */
type Completed = ClaimedKey & { status: number; reply: Uint8Array }

const completeSql = `
  update idempotency_keys set status = given.status, reply = decode(given.reply, 'hex')
  from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as given (id, claim, status, reply)
  where idempotency_keys.id = given.id and idempotency_keys.claim = given.claim::uuid
  returning idempotency_keys.id`

const completeKeys = async (tx: Transaction | Database, completed: readonly Completed[]): Promise<void> => {
  const values = [
    completed.map(({ id }) => id),
    completed.map(({ claim }) => claim),
    completed.map(({ status }) => status),
    completed.map(({ reply }) => Buffer.from(reply).toString('hex')),
  ]
  const { rows } = (await tx.execute(new BuiltQuery(completeSql, values))) as unknown as { rows: unknown[] }
  if (rows.length < completed.length)
    throw new ServiceError('conflict', 'x-idempotency-key: the request took too long: send it again')
}

/**
 * Stores the answer in the transaction that writes the state it describes, before its commit and together with the
 * other answers of that transaction.
 *
 * @throws {@link ServiceError} `conflict`, which rolls back that transaction, if another request has taken
 * over the claim.
 */
export const completeKey = (tx: Transaction | Database, completed: Completed): Promise<void> =>
  beforeCommit(tx, completeKeys, completed)

/** Releases a claim after a failure, so that the next attempt starts over. */
export const releaseKey = async (db: Database, { id, claim }: ClaimedKey): Promise<void> => {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.id, id), eq(idempotencyKeys.claim, claim), isNull(idempotencyKeys.reply)))
}

/** Deletes the keys that are too old to be repeated. */
export const forgetKeys = (db: Database, nowMs: number, keepMs: number): Promise<void> => {
  const { id, createdAt } = idempotencyKeys
  const isOld = lt(createdAt, new Date(nowMs - keepMs))
  return deleteInBatches(async (limit) => {
    const oldest = db.select({ id }).from(idempotencyKeys).where(isOld).orderBy(createdAt).limit(limit)
    // A key that was claimed again meanwhile stays.
    const deleted = db.delete(idempotencyKeys).where(and(inArray(id, oldest), isOld))
    return (await deleted.returning({ id })).length
  })
}
