import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'
import { payments } from './payments.js'

/** Money that goes back to who paid it, one row per refund; the id is the key of the chain write. */
export const refunds = pgTable(
  'refunds',
  {
    /** `refund:<orderId>:<n>` */
    id: text('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    chain: text('chain').notNull(),
    currency: text('currency').notNull(),
    /** Base units of `currency`. */
    units: text('units').notNull(),
    recipient: text('recipient').notNull(),
    reason: text('reason').notNull(),
    status: text('status', { enum: ['pending', 'sent', 'failed'] }).notNull(),
    txId: text('tx_id'),
    /** Which attempt at sending it is the present one. */
    attempt: integer('attempt').notNull().default(1),
    /** Why the chain refused the last attempt: for the operator. */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('refunds_order').on(table.orderId)],
)
