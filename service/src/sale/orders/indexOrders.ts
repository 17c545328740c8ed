import { asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { orders } from '#base/db/tables/index.js'
import { searchTermsOf } from './searchTerms.js'

const perTransaction = 100

/**
 * Stores what orders are found by, for those that only builds without the search have written. Orders that are changed
 * meanwhile have it already, and are left alone.
 *
 * @returns How many were stored.
 */
export const indexOrders = async (db: Database): Promise<number> => {
  let total = 0
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const rows = await tx
        .select({ id: orders.id, order: orders.document })
        .from(orders)
        .where(isNull(orders.terms))
        .orderBy(asc(orders.id))
        .limit(perTransaction)
        .for('update', { skipLocked: true })
      for (const { id, order } of rows) {
        await tx
          .update(orders)
          .set({ terms: searchTermsOf(order) })
          .where(eq(orders.id, id))
      }
      return rows.length
    })
    total += count
    if (count < perTransaction) return total
  }
}
