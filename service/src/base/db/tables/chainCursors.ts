import { bigint, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** How far each chain was searched for payments. */
export const chainCursors = pgTable('chain_cursors', {
  chain: text('chain').primaryKey(),
  /** Null after a while in which no order waited for money. The chain is then read from its head on. */
  blockNumber: bigint('block_number', { mode: 'bigint' }),
  /** Shows whether a development chain was reset since; null while it was not read. */
  blockHash: text('block_hash'),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  /** Up to where it was searched for late payments too, and when; null before the first such search. */
  lateBlock: bigint('late_block', { mode: 'bigint' }),
  lateAt: timestamp('late_at', { withTimezone: true }),
})

/** How far each chain has gone through the orders with reported transactions that are no known payment. */
export const hintCursors = pgTable(
  'hint_cursors',
  {
    chain: text('chain').notNull(),
    /** The pass: over new reports, over those of the last day again and again, or over those to give up. */
    pass: text('pass').$type<'new' | 'again' | 'give-up'>().notNull(),
    /** The order at which it arrived: the time of its last report, and its id. */
    hintedAt: timestamp('hinted_at', { withTimezone: true }).notNull(),
    orderId: uuid('order_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.pass] })],
)
