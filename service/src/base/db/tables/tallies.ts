import { sql } from 'drizzle-orm'
import { bigint, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const columns = () => ({
  /** What is counted: `orders`, `phases`, `tokens` or `deliveries`. */
  subject: text('subject').notNull(),
  /** Whose it is: a project's id, a token's collection as `<project>/<collection>`, or nothing. */
  owner: text('owner').notNull(),
  /** The hour of its creation, or the epoch if all hours are counted together. */
  hour: timestamp('hour', { withTimezone: true }).notNull(),
  /** What the counted ones have in common, such as their status. */
  name: text('name').notNull(),
  count: bigint('count', { mode: 'number' }).notNull(),
  /** The total of sold orders, in base units of their currency. */
  units: numeric('units', { mode: 'bigint' }).notNull().default(sql`0`),
  /** What goes back of it. */
  refunded: numeric('refunded', { mode: 'bigint' }).notNull().default(sql`0`),
})

/**
 * How many orders, tokens and deliveries there are, up to the entries that are not added yet. Triggers of the counted
 * tables write the entries, so that every build and every statement counts.
 */
export const tallies = pgTable('tallies', columns(), (table) => [
  primaryKey({ columns: [table.subject, table.owner, table.hour, table.name] }),
])

/** What writes have changed since. They are added to the tallies in batches and deleted. */
export const tallyEntries = pgTable('tally_entries', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  ...columns(),
})
