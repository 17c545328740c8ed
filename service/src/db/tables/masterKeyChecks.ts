import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** One value sealed under each master key this database was written with: who cannot open one has another key. */
export const masterKeyChecks = pgTable('master_key_checks', {
  /** A fingerprint of the key, which tells nothing of it. */
  keyId: text('key_id').primaryKey(),
  sealed: text('sealed').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
