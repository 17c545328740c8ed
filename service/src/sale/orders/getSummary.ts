import { and, asc, count, eq, gt, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { fromBaseUnits, type OrderSummary } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { mails, orders, refunds, webhookDeliveries, webhookEndpoints } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { requireServerScope } from '#identity/authorize.js'

/** The currency in which an order is paid, and its total, from its document. */
const currency = sql<string>`${orders.document} #>> '{payment,currency}'`
const decimals = sql<number>`(${orders.document} #>> '{payment,decimals}')::int`
const totalUnits = sql`coalesce((${orders.document} #>> '{quote,totalUnits}')::numeric, 0)`

/**
 * What goes back of the price of an order, sent or not: what the merchant refunded, and what was not delivered. Refunds
 * of what is more than the price, or no payment of it, are no part of it. Its columns are named in full here, because a
 * selection of one table names them without it.
 */
const refundedUnits = sql`coalesce((
  select sum(refunds.units::numeric) from refunds
  where refunds.order_id = orders.id and refunds.reason in ('requested', 'undelivered')
), 0)`

const captureStatus = sql<string>`${orders.document} #>> '{capture,status}'`
const deadlineMs = sql<number>`(${orders.document} #>> '{capture,deadlineMs}')::bigint`.mapWith(Number)

/** Whether the merchant has been paid: the payment is neither waiting for its capture nor on its way back. */
const isSold = and(
  inArray(orders.phase, ['delivery', 'completed']),
  or(isNull(captureStatus), eq(captureStatus, 'captured')),
)

/** How many line items of an order are due to the buyer and in no parcel, as `canShip` decides of each. */
const itemsToShip = sql<number>`(
  select count(*) from jsonb_array_elements(${orders.document} -> 'lineItems') with ordinality as item(state, position)
  where item.state #>> '{delivery,status}' <> 'failed' and not exists (
    select from jsonb_array_elements(${orders.document} -> 'shipments') as shipment
    where shipment -> 'cancelled' is null and shipment -> 'lineItems' @> to_jsonb(item.position - 1)
  )
)`.mapWith(Number)

/** How often the chain refused the line item of an order that it refused most, among those on their way. */
const refusals = sql<number>`coalesce((
  select max((item #>> '{delivery,attempt}')::int - 1) from jsonb_array_elements(${orders.document} -> 'lineItems') as item
  where item #>> '{delivery,status}' = 'in-progress'
), 0)`.mapWith(Number)

/** After as many failures, a person is asked to look. What is tried again seldom fails so often by chance. */
const patience = 3

const mailDelayMs = 60 * 60_000
const mailMemoryMs = 7 * 24 * 60 * 60_000

/** The refunds that a person has to decide about. */
const waiting = ['held', 'failed', 'credited'] as const

/** Lists the sold orders of a project with line items to ship. What was refunded in full goes nowhere. */
const listParcels = (tx: Transaction, projectId: string) =>
  tx
    .select({ orderId: orders.id, lineItems: itemsToShip })
    .from(orders)
    .where(
      and(
        eq(orders.projectId, projectId),
        isSold,
        sql`${orders.document} #> '{recipient,physicalAddress}' is not null`,
        gt(itemsToShip, 0),
        sql`(${totalUnits} = 0 or ${refundedUnits} < ${totalUnits})`,
      ),
    )
    .orderBy(orders.createdAt, orders.id)
    .limit(100)

/** Lists the orders of a project with line items that the chain keeps refusing. */
const listDeliveries = (tx: Transaction, projectId: string) =>
  tx
    .select({ orderId: orders.id, attempts: refusals })
    .from(orders)
    .where(and(eq(orders.projectId, projectId), eq(orders.phase, 'delivery'), gte(refusals, patience)))
    .orderBy(orders.createdAt, orders.id)
    .limit(100)

/** Counts the events of each enabled endpoint of a project that it keeps refusing, and that are sent again. */
const countFailing = (tx: Transaction, projectId: string) =>
  tx
    .select({ endpointId: webhookEndpoints.id, url: webhookEndpoints.url, waiting: count() })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookEndpoints.projectId, projectId),
        isNull(webhookEndpoints.removedAt),
        isNull(webhookEndpoints.disabledAt),
        eq(webhookDeliveries.status, 'pending'),
        gte(webhookDeliveries.attempts, patience),
      ),
    )
    .groupBy(webhookEndpoints.id, webhookEndpoints.url)
    .orderBy(webhookEndpoints.url)

/** Lists the e-mails of a project's last week that should have been sent. One that was sent later as a copy is. */
const listUnsent = (tx: Transaction, projectId: string, nowMs: number) => {
  const copy = sql`exists (
    select from ${mails} as copy
    where copy.order_id = ${mails.orderId} and copy.kind = ${mails.kind} and copy.recipient = ${mails.recipient}
      and copy.sent_at is not null and copy.created_at >= ${mails.createdAt}
  )`
  return tx
    .select({
      orderId: mails.orderId,
      kind: mails.kind,
      recipient: mails.recipient,
      createdAt: mails.createdAt,
    })
    .from(mails)
    .where(
      and(
        eq(mails.projectId, projectId),
        isNull(mails.sentAt),
        sql`not ${copy}`,
        lt(mails.createdAt, new Date(nowMs - mailDelayMs)),
        gt(mails.createdAt, new Date(nowMs - mailMemoryMs)),
      ),
    )
    .orderBy(mails.createdAt, mails.kind)
    .limit(100)
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
  const isRecent = and(eq(orders.projectId, projectId), gte(orders.createdAt, since))
  return db.transaction(
    async (tx) => {
      const phases = await tx
        .select({ phase: orders.phase, count: count() })
        .from(orders)
        .where(isRecent)
        .groupBy(orders.phase)
      const sales = await tx
        .select({
          chain: orders.chain,
          currency,
          decimals,
          count: count(),
          grossUnits: sql<string>`sum(${totalUnits})::text`,
          refundedUnits: sql<string>`sum(${refundedUnits})::text`,
        })
        .from(orders)
        .where(and(isRecent, isSold))
        .groupBy(orders.chain, currency, decimals)
        .orderBy(orders.chain, currency)
      const uncaptured = await tx
        .select({ orderId: orders.id, deadlineMs })
        .from(orders)
        .where(
          and(
            eq(orders.projectId, projectId),
            eq(orders.phase, 'delivery'),
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
      const parcels = await listParcels(tx, projectId)
      const deliveries = await listDeliveries(tx, projectId)
      const failingWebhooks = await countFailing(tx, projectId)
      const unsent = await listUnsent(tx, projectId, now())
      const counts = { quote: 0, payment: 0, delivery: 0, completed: 0 }
      for (const row of phases) counts[row.phase] = row.count
      return {
        since: since.toISOString(),
        orders: counts,
        sales: sales.map((row) => ({
          chain: row.chain,
          currency: row.currency,
          orders: row.count,
          amount: fromBaseUnits(BigInt(row.grossUnits), row.decimals),
          refunded: fromBaseUnits(BigInt(row.refundedUnits), row.decimals),
          net: fromBaseUnits(BigInt(row.grossUnits) - BigInt(row.refundedUnits), row.decimals),
        })),
        attention: {
          captures: uncaptured.map((row) => ({
            orderId: row.orderId,
            captureBefore: new Date(row.deadlineMs).toISOString(),
          })),
          refunds: held.map(({ orderId, status, failure }) => ({
            orderId,
            status,
            ...(failure !== null && { reason: failure }),
          })),
          webhooks: failing,
          failingWebhooks,
          parcels,
          deliveries,
          mails: unsent.map(({ orderId, createdAt, ...mail }) => ({
            ...mail,
            createdAt: createdAt.toISOString(),
            ...(orderId !== null && { orderId }),
          })),
        },
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
