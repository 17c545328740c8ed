import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { StoredMessage as SignedMessage } from 'kassa/engine'
import type {
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SolanaMpcWalletParams,
  SolanaSmartWalletParams,
  SubmittedApproval,
  TransactionError,
  UserOperation,
} from 'kassa/schema'
import { projects } from './projects.js'
import { wallets } from './wallets.js'

/**
 * An encoded call of a transaction. `errors` are the errors that its contract may return, as the caller
 * declared them.
 */
export type StoredCall = { to: string; value: string; data: string; errors?: readonly unknown[] }

/** A transaction that is signed as it is, and who takes part in it, which rows of earlier builds lack. */
export type StoredMessage = SignedMessage & { parties?: string[] }

/** Wallets' transactions on chains. */
export const walletTransactions = pgTable(
  'wallet_transactions',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    chain: text('chain').notNull(),
    /** Its position among the wallet's transactions on the chain. */
    sequence: bigint('sequence', { mode: 'bigint' }).notNull(),
    status: text('status', { enum: ['awaiting-approval', 'pending', 'failed', 'success'] }).notNull(),
    /** As the caller wrote them. */
    params: jsonb('params')
      .$type<EvmSmartWalletParams | EvmMpcWalletParams | SolanaMpcWalletParams | SolanaSmartWalletParams>()
      .notNull(),
    calls: jsonb('calls').$type<StoredCall[]>().notNull(),
    /** For smart wallets: the operation to sign, with its signature once it is signed. */
    operation: jsonb('operation').$type<UserOperation>(),
    operationHash: text('operation_hash'),
    /** Locator of the signer that must approve. */
    signer: text('signer').notNull(),
    submitted: jsonb('submitted').$type<SubmittedApproval>(),
    /** The bundle of those sent in one transaction from the service's key, fixed before it is signed. */
    bundleId: uuid('bundle_id'),
    /** Position in the bundle. */
    bundleIndex: integer('bundle_index'),
    /** When the service first saw that the chain lacks an operation before it. */
    gapSeenAt: timestamp('gap_seen_at', { withTimezone: true }),
    txId: text('tx_id'),
    /** Why it failed or, while it is pending, why it is being abandoned. */
    error: jsonb('error').$type<TransactionError>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    completedAt: timestamp('completed_at', { withTimezone: true }),
    /** On Solana: what is signed, and who has approved it. */
    message: jsonb('message').$type<StoredMessage>(),
  },
  (table) => [
    uniqueIndex('wallet_transactions_sequence').on(table.walletId, table.chain, table.sequence),
    index('wallet_transactions_list').on(table.walletId, table.createdAt, table.id),
    index('wallet_transactions_pending')
      .on(table.walletId, table.chain, table.sequence)
      .where(sql`status = 'pending'`),
    index('wallet_transactions_hash').on(table.operationHash),
  ],
)
