import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** The currencies that no new order can be paid in, until the operator resumes them. */
export const suspendedCurrencies = pgTable(
  'suspended_currencies',
  {
    chain: text('chain').notNull(),
    currency: text('currency').notNull(),
    /** For the operator to read. */
    reason: text('reason').notNull(),
    suspendedAt: timestamp('suspended_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.currency] })],
)
