import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * One value encrypted under each master key that this database was written with. A key that cannot decrypt
 * one is the wrong key.
 */
export const masterKeyChecks = pgTable('master_key_checks', {
  /** A fingerprint that does not reveal the key. */
  keyId: text('key_id').primaryKey(),
  sealed: text('sealed').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
