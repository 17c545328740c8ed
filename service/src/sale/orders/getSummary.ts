import { and, count, eq, gte, sql } from 'drizzle-orm'
import { fromBaseUnits, type OrderSummary } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { requireServerScope } from '#identity/authorize.js'
import { readAttention } from './readAttention.js'
import { isSold, refundedUnits, totalUnits } from './soldOrders.js'

/** The currency in which an order is paid, and its total, from its document. */
const currency = sql<string>`${orders.document} #>> '{payment,currency}'`
const decimals = sql<number>`(${orders.document} #>> '{payment,decimals}')::int`

type Period = { projectId: string; since: Date }

const isIn = ({ projectId, since }: Period) =>
  and(eq(orders.projectId, projectId), gte(orders.createdAt, since))

/** Counts the orders of a period by their phases. */
const countPhases = async (tx: Transaction, period: Period): Promise<OrderSummary['orders']> => {
  const rows = await tx
    .select({ phase: orders.phase, count: count() })
    .from(orders)
    .where(isIn(period))
    .groupBy(orders.phase)
  const counts = { quote: 0, payment: 0, delivery: 0, completed: 0 }
  for (const row of rows) counts[row.phase] = row.count
  return counts
}

/** Sums up what was sold in a period, by chain and currency. */
const sumSales = async (tx: Transaction, period: Period): Promise<OrderSummary['sales']> => {
  const rows = await tx
    .select({
      chain: orders.chain,
      currency,
      decimals,
      count: count(),
      grossUnits: sql<string>`sum(${totalUnits})::text`,
      refundedUnits: sql<string>`sum(${refundedUnits})::text`,
    })
    .from(orders)
    .where(and(isIn(period), isSold))
    .groupBy(orders.chain, currency, decimals)
    .orderBy(orders.chain, currency)
  return rows.map((row) => ({
    chain: row.chain,
    currency: row.currency,
    orders: row.count,
    amount: fromBaseUnits(BigInt(row.grossUnits), row.decimals),
    refunded: fromBaseUnits(BigInt(row.refundedUnits), row.decimals),
    net: fromBaseUnits(BigInt(row.grossUnits) - BigInt(row.refundedUnits), row.decimals),
  }))
}

/**
 * Sums up a project for a person who comes to work: the orders and sales since a time, and what needs a person.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const getSummary = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { actor }: Call,
  { since }: { since: Date },
): Promise<OrderSummary> => {
  requireServerScope(actor, 'orders.read')
  const { projectId } = actor
  const period = { projectId, since }
  return db.transaction(
    async (tx) => ({
      since: since.toISOString(),
      orders: await countPhases(tx, period),
      sales: await sumSales(tx, period),
      attention: await readAttention(tx, projectId, now()),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
