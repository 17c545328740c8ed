import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'

/** Every payment ever seen on a chain, as its log shows it. */
export const payments = pgTable(
  'payments',
  {
    /**
     * `<chain>:<txId>:<target>:<currency>:<n>`, the n-th of the transaction to this target in this currency.
     */
    id: text('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    chain: text('chain').notNull(),
    txId: text('tx_id').notNull(),
    /** Its position in its block, which a reorganisation may change. */
    logIndex: integer('log_index').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    blockHash: text('block_hash').notNull(),
    minedAt: timestamp('mined_at', { withTimezone: true }).notNull(),
    payer: text('payer').notNull(),
    currency: text('currency').notNull(),
    /** Base units of `currency`. */
    units: text('units').notNull(),
    target: text('target').notNull(),
    /**
     * `seen` may still be reorganised away, `confirmed` is final. `lost` was final until an unexpectedly deep
     * reorganisation removed it. `foreign` is a token that the deployment does not accept, with its address
     * as the currency. It is recorded once per token and order, for the ledger to query.
     */
    status: text('status', { enum: ['seen', 'confirmed', 'reorganised', 'lost', 'foreign'] }).notNull(),
  },
  (table) => [
    index('payments_status').on(table.status, table.chain),
    index('payments_order').on(table.orderId),
    // A new process checks the newest final block first.
    index('payments_final').on(table.chain, table.blockNumber).where(sql`status = 'confirmed'`),
  ],
)
