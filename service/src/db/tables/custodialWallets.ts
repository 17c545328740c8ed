import { pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { projects } from './projects.js'

/** Wallets whose keys the service keeps for users who have none of their own. */
export const custodialWallets = pgTable(
  'custodial_wallets',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** Such as `email:ada@example.com`. */
    userLocator: text('user_locator').notNull(),
    family: text('family', { enum: ['evm'] }).notNull(),
    address: text('address').notNull(),
    /** The private key as the vault hands it out. */
    encryptedKey: text('encrypted_key').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex('custodial_wallets_user').on(table.projectId, table.userLocator, table.family)],
)
