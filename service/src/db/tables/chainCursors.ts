import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** How far payments were looked for on each chain. */
export const chainCursors = pgTable('chain_cursors', {
  chain: text('chain').primaryKey(),
  /** Null once nobody waited for money for a while: it is then read from its head on. */
  blockNumber: bigint('block_number', { mode: 'bigint' }),
  /** Tells whether a development chain was started anew since; null while it was not read. */
  blockHash: text('block_hash'),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
