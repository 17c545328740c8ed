import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/**
 * Every transaction that the service signs on Solana. The row is committed before the bytes are sent, so that
 * a process killed at any line sends the identical bytes again. The signature makes the second send harmless.
 */
export const solanaTransactions = pgTable(
  'solana_transactions',
  {
    /** The purpose of the write, such as `solana:mint:<orderId>:0`. A repeated request finds this row. */
    key: text('key').primaryKey(),
    chain: text('chain').notNull(),
    /** The bytes that nodes accept, in base64. */
    signedTransaction: text('signed_transaction').notNull(),
    /** The signature of the fee payer, which identifies the transaction. */
    signature: text('signature').notNull(),
    /** No block above this height includes the transaction. */
    lastValidBlockHeight: bigint('last_valid_block_height', { mode: 'bigint' }).notNull(),
    status: text('status', { enum: ['signed', 'succeeded', 'failed'] }).notNull(),
    slot: bigint('slot', { mode: 'bigint' }),
    /** Why it failed. */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** The account that the transaction creates so that no second copy of the write succeeds, if it creates one. */
    guard: text('guard'),
    /** When the last bytes with the guard were signed. */
    guardSignedAt: timestamp('guard_signed_at', { withTimezone: true }),
    /** When the guard was seen to be closed, so that its rent is back. */
    guardClosedAt: timestamp('guard_closed_at', { withTimezone: true }),
    /** When the bytes of a `signed` row were seen to be in no block, and in none to come. */
    expiredAt: timestamp('expired_at', { withTimezone: true }),
  },
  (table) => [
    // Two writes never share a transaction, which would happen once for both.
    uniqueIndex('solana_transactions_signature').on(table.signature),
    index('solana_transactions_open').on(table.chain, table.createdAt).where(sql`status = 'signed'`),
    index('solana_transactions_guards')
      .on(table.chain, table.guardSignedAt)
      .where(sql`status = 'succeeded' and guard is not null and guard_closed_at is null`),
  ],
)
