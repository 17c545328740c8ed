import { index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'

/** Where on a chain a payment of an order can arrive; every place an order ever named stays watched. */
export const paymentTargets = pgTable(
  'payment_targets',
  {
    chain: text('chain').notNull(),
    /** The order's deposit address, or the router's reference of the order. */
    target: text('target').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    watchedUntil: timestamp('watched_until', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.target] }),
    index('payment_targets_watched').on(table.watchedUntil),
    index('payment_targets_order').on(table.orderId),
  ],
)
