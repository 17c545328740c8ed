import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'

/** Unattributed funds of deposit addresses that the operator sends back, one row per request. */
export const unattributedTransfers = pgTable(
  'unattributed_transfers',
  {
    /** `unattributed:<chain>:<orderId>:<currency>:<uuid>`; the key of the chain write. */
    id: text('id').primaryKey(),
    /** The order whose deposit address holds the funds. */
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    chain: text('chain').notNull(),
    /** The native currency's name, or a token's address. */
    currency: text('currency').notNull(),
    /** Base units of `currency`. */
    units: text('units').notNull(),
    recipient: text('recipient').notNull(),
    status: text('status', { enum: ['pending', 'sent', 'failed'] }).notNull(),
    txId: text('tx_id'),
    /** Why the chain refused it. For the operator. */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('unattributed_transfers_order').on(table.orderId)],
)
