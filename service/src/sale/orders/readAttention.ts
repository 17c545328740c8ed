import { and, asc, count, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { OrderSummary } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { mails, orders, refunds, webhookDeliveries, webhookEndpoints } from '#base/db/tables/index.js'
import { captureStatus, isSold, refundedUnits, totalUnits } from './soldOrders.js'

const deadlineMs = sql<number>`(${orders.document} #>> '{capture,deadlineMs}')::bigint`.mapWith(Number)

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

/** Lists the payments of a project that wait for their capture, the most urgent first. */
const listUncaptured = (tx: Transaction, projectId: string) =>
  tx
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

/** Lists the refunds of a project that a person has to decide about. */
const listHeld = (tx: Transaction, projectId: string) =>
  tx
    .select({ orderId: refunds.orderId, status: refunds.status, failure: refunds.failure })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(orders.projectId, projectId), inArray(refunds.status, waiting)))
    .orderBy(refunds.createdAt)
    .limit(100)

/** Counts the events of each enabled endpoint of a project that were given up. */
const countFailed = (tx: Transaction, projectId: string) =>
  tx
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

/** Reads what needs a person in a project: what is not captured, refunded, shipped, delivered or sent. */
export const readAttention = async (
  tx: Transaction,
  projectId: string,
  nowMs: number,
): Promise<OrderSummary['attention']> => {
  const uncaptured = await listUncaptured(tx, projectId)
  const held = await listHeld(tx, projectId)
  const webhooks = await countFailed(tx, projectId)
  const parcels = await listParcels(tx, projectId)
  const deliveries = await listDeliveries(tx, projectId)
  const failingWebhooks = await countFailing(tx, projectId)
  const unsent = await listUnsent(tx, projectId, nowMs)
  return {
    captures: uncaptured.map((row) => ({
      orderId: row.orderId,
      captureBefore: new Date(row.deadlineMs).toISOString(),
    })),
    refunds: held.map(({ orderId, status, failure }) => ({
      orderId,
      status,
      ...(failure !== null && { reason: failure }),
    })),
    webhooks,
    failingWebhooks,
    parcels,
    deliveries,
    mails: unsent.map(({ orderId, createdAt, ...mail }) => ({
      ...mail,
      createdAt: createdAt.toISOString(),
      ...(orderId !== null && { orderId }),
    })),
  }
}
