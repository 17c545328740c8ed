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

/** Wallets: the ones whose keys the service keeps, and the smart ones that somebody else's key controls. */
export const wallets = pgTable(
  'wallets',
  {
    /** It salts the address of a smart wallet, and binds an encrypted key to its row. */
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    type: text('type', { enum: ['evm-smart-wallet', 'evm-mpc-wallet'] }).notNull(),
    /** In the chain's own canonical spelling. */
    address: text('address').notNull(),
    /** Such as `email:ada@example.com`; null for a wallet of nobody's. */
    userLocator: text('user_locator'),
    signerType: text('signer_type', {
      enum: ['evm-keypair', 'evm-passkey', 'evm-kassa-custodial'],
    }).notNull(),
    /** As it is answered, `locator` included. */
    adminSigner: jsonb('admin_signer').$type<AdminSigner & { locator: string }>().notNull(),
    /** The custodial private key as the vault hands it out; null where somebody else signs. */
    encryptedKey: text('encrypted_key'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('wallets_user').on(table.projectId, table.userLocator, table.type),
    uniqueIndex('wallets_address').on(table.projectId, table.address),
  ],
)

/**
 * What the next transaction of a wallet on a chain gets. Its row lock puts transactions that are created at once in
 * a queue.
 */
export const walletLanes = pgTable(
  'wallet_lanes',
  {
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    chain: text('chain').notNull(),
    /** How many transactions there were: their order. */
    nextSequence: bigint('next_sequence', { mode: 'bigint' }).notNull(),
    /** The next nonce of the lane that the custodian signs for. */
    nextNonce: bigint('next_nonce', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.chain] }),
    index('wallet_lanes_chain').on(table.chain),
  ],
)
