import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { orders } from '#base/db/tables/index.js'

/** The total of an order, from its document. @units base units of its currency */
export const totalUnits = sql`coalesce((${orders.document} #>> '{quote,totalUnits}')::numeric, 0)`

/**
 * What goes back of the price of an order, sent or not: what the merchant refunded, and what was not delivered. Refunds
 * of what is more than the price, or no payment of it, are no part of it. Its columns are named in full here, because a
 * selection of one table names them without it.
 */
export const refundedUnits = sql`coalesce((
  select sum(refunds.units::numeric) from refunds
  where refunds.order_id = orders.id and refunds.reason in ('requested', 'undelivered')
), 0)`

/** What became of the capture of an order's payment, or null without one. */
export const captureStatus = sql<string>`${orders.document} #>> '{capture,status}'`

/** Whether the merchant has been paid: the payment is neither waiting for its capture nor on its way back. */
export const isSold = and(
  inArray(orders.phase, ['delivery', 'completed']),
  or(isNull(captureStatus), eq(captureStatus, 'captured')),
)
