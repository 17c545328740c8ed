import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Which process does a task that one process at a time does. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: uuid('holder').notNull(),
  /** When another process may take over, unless the holder renews it. */
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
})
