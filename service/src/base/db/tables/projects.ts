import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A merchant of this deployment: the owner of keys, collections and orders. */
export const projects = pgTable('projects', {
  id: uuid('id').primaryKey().defaultRandom(),
  name: text('name').notNull().unique(),
  /** The name that customers see; null if it is the same as `name`. */
  displayName: text('display_name'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
