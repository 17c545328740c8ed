import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { orders } from '../db/tables/index.js'
import type { Collection } from './findCollection.js'

/**
 * How many tokens are spoken for by orders that are paid, or whose payment waits for confirmations, and have no
 * token ids yet.
 */
const countReserved = async (db: Database | Transaction, { projectId, id }: Collection): Promise<number> => {
  const items = sql`jsonb_array_elements(${orders.document} -> 'lineItems') as item`
  const [row] = await db
    .select({ count: sql<string>`coalesce(sum((item ->> 'quantity')::int), 0)` })
    .from(sql`${orders}, ${items}`)
    .where(
      and(
        eq(orders.projectId, projectId),
        sql`(${orders.phase} = 'delivery' or (${orders.phase} = 'payment'
          and ${orders.document} -> 'payment' ->> 'status' = 'in-progress'))`,
        sql`item ->> 'collectionId' = ${id}`,
        sql`item -> 'quote' ->> 'status' = 'valid'`,
        sql`item -> 'delivery' ->> 'status' in ('awaiting-payment', 'in-progress')`,
        sql`item -> 'delivery' -> 'tokenIds' is null`,
      ),
    )
  return Number(row?.count ?? 0)
}

/** How many tokens of a collection can still be sold; undefined when there is no limit. */
export const countAvailable = async (
  db: Database | Transaction,
  collection: Collection,
): Promise<number | undefined> => {
  const { supplyLimit, allocatedCount } = collection
  if (supplyLimit === null) return undefined
  return Math.max(0, supplyLimit - allocatedCount - (await countReserved(db, collection)))
}
