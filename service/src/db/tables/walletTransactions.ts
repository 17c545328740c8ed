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
import type {
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SubmittedApproval,
  TransactionError,
  UserOperation,
} from 'kassa/schema'
import { projects } from './projects.js'
import { wallets } from './wallets.js'

/** A call of a transaction, encoded. `errors` are the errors that the caller said its contract may answer with. */
export type StoredCall = { to: string; value: string; data: string; errors?: readonly unknown[] }

/** What wallets do on chains. */
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
    /** Their order in the wallet on the chain. */
    sequence: bigint('sequence', { mode: 'bigint' }).notNull(),
    status: text('status', { enum: ['awaiting-approval', 'pending', 'failed', 'success'] }).notNull(),
    /** As the caller wrote them. */
    params: jsonb('params').$type<EvmSmartWalletParams | EvmMpcWalletParams>().notNull(),
    calls: jsonb('calls').$type<StoredCall[]>().notNull(),
    /** Of smart wallets: what is signed, with its signature once it is. */
    operation: jsonb('operation').$type<UserOperation>(),
    operationHash: text('operation_hash'),
    /** Locator of the signer that has to approve. */
    signer: text('signer').notNull(),
    submitted: jsonb('submitted').$type<SubmittedApproval>(),
    /** Those that are sent in one transaction of the service's key: fixed before it is signed. */
    bundleId: uuid('bundle_id'),
    /** Position in the bundle. */
    bundleIndex: integer('bundle_index'),
    /** When it was first seen that the chain lacks an operation before it. */
    gapSeenAt: timestamp('gap_seen_at', { withTimezone: true }),
    txId: text('tx_id'),
    /** Why it failed; of one that is pending, why it is being given up. */
    error: jsonb('error').$type<TransactionError>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    completedAt: timestamp('completed_at', { withTimezone: true }),
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
