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
    /** As `RefundState` has it; a row that is `pending` and not released is about to be looked at. */
    status: text('status', { enum: ['pending', 'held', 'failed', 'credited', 'sent'] }).notNull(),
    txId: text('tx_id'),
    /** Which attempt at sending it is the present one. */
    attempt: integer('attempt').notNull().default(1),
    /** Why it is held, why the chain refused the last attempt, or where it waits for its payer: for the operator. */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Who decided that it is sent, and when. */
    releasedBy: text('released_by', { enum: ['service', 'operator'] }),
    releasedAt: timestamp('released_at', { withTimezone: true }),
    /** Where the operator has it sent, because the payer's account cannot receive it. */
    sentTo: text('sent_to'),
  },
  (table) => [
    index('refunds_order').on(table.orderId),
    // The refunds of the last hour are counted before each that the service sends on its own.
    index('refunds_released').on(table.releasedAt),
  ],
)
