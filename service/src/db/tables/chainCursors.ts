import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** How far each chain was searched for payments. */
export const chainCursors = pgTable('chain_cursors', {
  chain: text('chain').primaryKey(),
  /** Null after a while in which no order waited for money. The chain is then read from its head on. */
  blockNumber: bigint('block_number', { mode: 'bigint' }),
  /** Shows whether a development chain was reset since; null while it was not read. */
  blockHash: text('block_hash'),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
