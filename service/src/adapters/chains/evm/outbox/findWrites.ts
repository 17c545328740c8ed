import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '#base/db/database.js'
import { chainRefusals, chainTransactions, sharedCalls } from '#base/db/tables/chainTransactions.js'
import type { KeptRefusal } from './refusals.js'

/** What is known of a write. */
export type KnownWrite = {
  /** Its transaction, alone or shared, or its refusal. */
  outcome?: typeof chainTransactions.$inferSelect | KeptRefusal
  /** Whether a transaction that it shared has failed, so that it is signed alone. */
  isApart: boolean
}

const shared = alias(chainTransactions, 'shared')

/** Finds what is known of writes, by their keys. A shared transaction that failed is no outcome of theirs. */
export const findWrites = async (
  db: Database | Transaction,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownWrite>> => {
  const rows = await db
    .select({ key: sql<string>`asked.key`, own: chainTransactions, shared, refusal: chainRefusals })
    .from(sql`unnest(${sql.param(keys)}::text[]) as asked (key)`)
    .leftJoin(chainTransactions, eq(chainTransactions.key, sql`asked.key`))
    .leftJoin(sharedCalls, eq(sharedCalls.key, sql`asked.key`))
    .leftJoin(shared, eq(shared.key, sharedCalls.transactionKey))
    .leftJoin(chainRefusals, eq(chainRefusals.key, sql`asked.key`))
  return new Map(
    rows.map(({ key, own, shared, refusal }) => {
      const isApart = shared?.status === 'reverted'
      const outcome = own ?? (isApart ? undefined : shared) ?? refusal
      return [key, { isApart, ...(outcome && { outcome }) }]
    }),
  )
}

/** Finds what is known of one write. */
export const findWrite = async (db: Database | Transaction, key: string): Promise<KnownWrite> =>
  (await findWrites(db, [key])).get(key) ?? { isApart: false }
