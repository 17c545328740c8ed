import { and, asc, count, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { fromBaseUnits, type OrderSummary } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { orders, refunds, webhookDeliveries, webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

/** The currency in which an order is paid, and its total, from its document. */
const currency = sql<string>`${orders.document} #>> '{payment,currency}'`
const decimals = sql<number>`(${orders.document} #>> '{payment,decimals}')::int`
const totalUnits = sql<string>`coalesce(sum((${orders.document} #>> '{quote,totalUnits}')::numeric), 0)::text`

const captureStatus = sql<string>`${orders.document} #>> '{capture,status}'`
const deadlineMs = sql<number>`(${orders.document} #>> '{capture,deadlineMs}')::bigint`.mapWith(Number)

/** The refunds that a person has to decide about. */
const waiting = ['held', 'failed', 'credited'] as const

/**
 * Sums up a project for a person who comes to work: the orders and sales since a time, and what needs a person.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const getSummary = async (
  { db }: Pick<Deps, 'db'>,
  { actor }: Call,
  { since }: { since: Date },
): Promise<OrderSummary> => {
  requireServerScope(actor, 'orders.read')
  const { projectId } = actor
  const isRecent = and(eq(orders.projectId, projectId), gte(orders.createdAt, since))
  return db.transaction(
    async (tx) => {
      const phases = await tx
        .select({ phase: orders.phase, count: count() })
        .from(orders)
        .where(isRecent)
        .groupBy(orders.phase)
      const sales = await tx
        .select({ chain: orders.chain, currency, decimals, totalUnits, count: count() })
        .from(orders)
        .where(and(isRecent, inArray(orders.phase, ['delivery', 'completed'])))
        .groupBy(orders.chain, currency, decimals)
        .orderBy(orders.chain, currency)
      const uncaptured = await tx
        .select({ orderId: orders.id, deadlineMs })
        .from(orders)
        .where(
          and(
            ...[eq(orders.projectId, projectId), eq(orders.phase, 'delivery')],
            eq(captureStatus, 'requires-capture'),
          ),
        )
        .orderBy(asc(deadlineMs))
        .limit(100)
      const held = await tx
        .select({ orderId: refunds.orderId, status: refunds.status, failure: refunds.failure })
        .from(refunds)
        .innerJoin(orders, eq(orders.id, refunds.orderId))
        .where(and(eq(orders.projectId, projectId), inArray(refunds.status, waiting)))
        .orderBy(refunds.createdAt)
        .limit(100)
      const failing = await tx
        .select({ endpointId: webhookEndpoints.id, url: webhookEndpoints.url, failed: count() })
        .from(webhookDeliveries)
        .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
        .where(
          and(
            eq(webhookEndpoints.projectId, projectId),
            isNull(webhookEndpoints.removedAt),
            eq(webhookDeliveries.status, 'failed'),
          ),
        )
        .groupBy(webhookEndpoints.id, webhookEndpoints.url)
        .orderBy(webhookEndpoints.url)
      const counts = { quote: 0, payment: 0, delivery: 0, completed: 0 }
      for (const row of phases) counts[row.phase] = row.count
      return {
        since: since.toISOString(),
        orders: counts,
        sales: sales.map((row) => ({
          ...{ chain: row.chain, currency: row.currency, orders: row.count },
          amount: fromBaseUnits(BigInt(row.totalUnits), row.decimals),
        })),
        attention: {
          captures: uncaptured.map((row) => ({
            orderId: row.orderId,
            captureBefore: new Date(row.deadlineMs).toISOString(),
          })),
          refunds: held.map(({ orderId, status, failure }) => ({
            ...{ orderId, status, ...(failure !== null && { reason: failure }) },
          })),
          webhooks: failing,
        },
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
