import { integer, pgTable, text } from 'drizzle-orm/pg-core'

/** One value sealed under the deployment's master key: who cannot open it has another key. */
export const masterKeyChecks = pgTable('master_key_checks', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
})
