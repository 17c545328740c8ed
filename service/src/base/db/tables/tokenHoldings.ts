import { bigint, index, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/**
 * The possible holders of tokens, according to logs. Only the chain knows whether one still holds a token,
 * and is asked at each read. Listings follow the order of ids, so that later arrivals are on later pages.
 */
export const tokenHoldings = pgTable(
  'token_holdings',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    chain: text('chain').notNull(),
    contract: text('contract').notNull(),
    tokenId: text('token_id').notNull(),
    holder: text('holder').notNull(),
    /** When the holder lost it; null as long as it seems to be held. */
    leftAt: timestamp('left_at', { withTimezone: true }),
    /** When the chain first said that the holder has it; null as long as only a log said so. */
    heldAt: timestamp('held_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('token_holdings_token').on(table.chain, table.contract, table.tokenId, table.holder),
    index('token_holdings_holder').on(table.chain, table.holder, table.id),
  ],
)

/** Up to which block the transfers of a contract's tokens, or of a wallet, are known. */
export const tokenCursors = pgTable(
  'token_cursors',
  {
    chain: text('chain').notNull(),
    /** The contract's address, or `wallet:` or `address:` and the wallet's. */
    contract: text('contract').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    /** Distinguishes a chain that was reset from the one that was read. */
    blockHash: text('block_hash'),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.contract] })],
)
