import { and, eq, lte, sql } from 'drizzle-orm'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { updateOrder } from '../orders/updateOrder.js'

/** Expires the quotes that have run out, in case their job is late. */
export const expireQuotes = async (deps: EmitDeps & Pick<Deps, 'db'>, chain: string): Promise<void> => {
  const rows = await deps.db
    .select({ orderId: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.chain, chain),
        eq(orders.phase, 'payment'),
        lte(orders.quoteExpiresAt, new Date(deps.now())),
        sql`${orders.document} -> 'payment' ->> 'status' <> 'in-progress'`,
      ),
    )
  for (const { orderId } of rows) {
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, { type: 'time-passed' }))
  }
}
