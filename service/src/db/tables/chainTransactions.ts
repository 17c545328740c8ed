import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/**
 * Every transaction the service signs. The row is committed before the bytes are broadcast, so that a process
 * killed at any line sends the very same bytes again: the nonce makes the second sending harmless.
 */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    /** What asked for it, such as `mint:<orderId>:0`; asking again finds this row. */
    key: text('key').primaryKey(),
    chain: text('chain').notNull(),
    sender: text('sender').notNull(),
    nonce: integer('nonce').notNull(),
    signedTransaction: text('signed_transaction').notNull(),
    /** The hash it landed under, or until then the one it was last signed under. */
    txId: text('tx_id').notNull(),
    /** The other hashes it was signed under with this nonce, at other fees: any of them may land, and one will. */
    otherTxIds: jsonb('other_tx_ids').$type<string[]>(),
    status: text('status', { enum: ['signed', 'succeeded', 'reverted'] }).notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    /** Why it failed, or is to fail: what stands in the place of a call that was given up does nothing. */
    revertReason: text('revert_reason'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** When its block was last seen; it stays when the chain takes that back: nobody waits for such a one any more. */
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('chain_transactions_nonce').on(table.chain, table.sender, table.nonce),
    index('chain_transactions_tx_id').on(table.txId),
    // Whose are to be looked at again: what the chain does not take, and what it may take back.
    index('chain_transactions_open').on(table.chain, table.createdAt).where(sql`status = 'signed'`),
    index('chain_transactions_ended').on(table.chain, table.endedAt),
    // All attempts at one thing: see `attemptKey`.
    index('chain_transactions_attempts').on(sql`split_part(${table.key}, '#', 1)`),
  ],
)

/**
 * Every write that a chain would not have before anything was signed for it. Whoever asks under its key again hears
 * the same: one runner of a job must not give up what another then does.
 */
export const chainRefusals = pgTable('chain_refusals', {
  key: text('key').primaryKey(),
  chain: text('chain').notNull(),
  reason: text('reason').notNull(),
  /** The call that was refused; null when it was none of our contracts'. */
  calldata: text('calldata'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** The next nonce of each sending key; its row lock puts signers of every process in a queue. */
export const chainAccounts = pgTable('chain_accounts', {
  /** `<chain>:<address>` */
  id: text('id').primaryKey(),
  nextNonce: integer('next_nonce').notNull(),
})
