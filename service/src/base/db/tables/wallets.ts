import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AdminSigner } from 'kassa/schema'
import { projects } from './projects.js'

/** Wallets: those whose keys the service keeps, and smart wallets that an external key controls. */
export const wallets = pgTable(
  'wallets',
  {
    /** The salt of a smart wallet's address, and the context that binds an encrypted key to its row. */
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    type: text('type', {
      enum: ['evm-smart-wallet', 'evm-mpc-wallet', 'solana-mpc-wallet', 'solana-smart-wallet'],
    }).notNull(),
    /** In the chain's canonical form. */
    address: text('address').notNull(),
    /** Such as `email:ada@example.com`; null for a wallet without a user. */
    userLocator: text('user_locator'),
    signerType: text('signer_type', {
      enum: ['evm-keypair', 'evm-passkey', 'evm-kassa-custodial', 'solana-kassa-custodial', 'solana-keypair'],
    }).notNull(),
    /** As it is returned, `locator` included. */
    adminSigner: jsonb('admin_signer').$type<AdminSigner & { locator: string }>().notNull(),
    /** The custodial private key as the vault encrypted it; null if the signer is external. */
    encryptedKey: text('encrypted_key'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('wallets_user').on(table.projectId, table.userLocator, table.type),
    uniqueIndex('wallets_address').on(table.projectId, table.address),
  ],
)

/**
 * The next numbers of a wallet's transactions on a chain. Its row lock queues transactions that are created
 * at once.
 */
export const walletNonceChannels = pgTable(
  'wallet_lanes',
  {
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    chain: text('chain').notNull(),
    /** The number of transactions so far, which orders them. */
    nextSequence: bigint('next_sequence', { mode: 'bigint' }).notNull(),
    /** The next nonce of the channel that the custodian signs for. */
    nextNonce: bigint('next_nonce', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.chain] }),
    index('wallet_lanes_chain').on(table.chain),
  ],
)
