import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/**
 * Every transaction that the service signs. The row is committed before the bytes are broadcast, so that a
 * process killed at any line sends the identical bytes again. The nonce makes the second send harmless.
 */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    /** The purpose of the write, such as `mint:<orderId>:0`. A repeated request finds this row. */
    key: text('key').primaryKey(),
    chain: text('chain').notNull(),
    sender: text('sender').notNull(),
    nonce: integer('nonce').notNull(),
    signedTransaction: text('signed_transaction').notNull(),
    /** The hash it landed under, or until then the one it was last signed under. */
    txId: text('tx_id').notNull(),
    /** The other hashes it was signed under with this nonce, at other fees. Any one of them may land. */
    otherTxIds: jsonb('other_tx_ids').$type<string[]>(),
    status: text('status', { enum: ['signed', 'succeeded', 'reverted'] }).notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    /** Why it failed, or is about to fail: an abandoned call is replaced by one that does nothing. */
    revertReason: text('revert_reason'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /**
     * When its block was last seen. It stays after a reorganisation, because no process waits for that
     * transaction any more.
     */
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('chain_transactions_nonce').on(table.chain, table.sender, table.nonce),
    index('chain_transactions_tx_id').on(table.txId),
    // The senders to check again: those of late transactions, and those of transactions that the chain may
    // still revert.
    index('chain_transactions_open').on(table.chain, table.createdAt).where(sql`status = 'signed'`),
    index('chain_transactions_ended').on(table.chain, table.endedAt),
    // All attempts at one write: see `attemptKey`.
    index('chain_transactions_attempts').on(sql`split_part(${table.key}, '#', 1)`),
  ],
)

/**
 * The calls that share a transaction, which is signed under a key of its own. If it fails, each of them is signed
 * alone, under its own key.
 */
export const sharedCalls = pgTable(
  'shared_calls',
  {
    /** The purpose of the write, such as `mint:<orderId>:0`. A write belongs to one shared transaction at most. */
    key: text('key').primaryKey(),
    transactionKey: text('transaction_key').notNull(),
    calldata: text('calldata').notNull(),
  },
  (table) => [
    index('shared_calls_transaction').on(table.transactionKey),
    // All attempts at one write: see `attemptKey`.
    index('shared_calls_attempts').on(sql`split_part(${table.key}, '#', 1)`),
  ],
)

/**
 * Every write that a chain refused before anything was signed for it. A repeated request under its key gets
 * the same refusal: one runner of a job must not give up a write that another then makes.
 */
export const chainRefusals = pgTable('chain_refusals', {
  key: text('key').primaryKey(),
  chain: text('chain').notNull(),
  reason: text('reason').notNull(),
  /** The refused call; null if it was not to one of the service's contracts. */
  calldata: text('calldata'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** The next nonce of each sending key. Its row lock queues the signers of every process. */
export const chainAccounts = pgTable('chain_accounts', {
  /** `<chain>:<address>` */
  id: text('id').primaryKey(),
  nextNonce: integer('next_nonce').notNull(),
})
