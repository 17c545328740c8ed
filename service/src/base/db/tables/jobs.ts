import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/**
 * The jobs to do. Each is written in the transaction that asks for it, and deleted when its handler has
 * returned.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    data: jsonb('data').notNull(),
    /** Jobs of a higher priority run before all others of their kind. */
    priority: integer('priority').notNull().default(0),
    startAfter: timestamp('start_after', { withTimezone: true }).notNull().defaultNow(),
    /** The order among jobs of one priority. A failed job queues again, behind the others. */
    queuedAt: timestamp('queued_at', { withTimezone: true }).notNull().defaultNow(),
    /** How often it was started. */
    starts: integer('starts').notNull().default(0),
    /** Identifies the start that is running: only the process that made it may record its end. */
    claim: uuid('claim'),
    /** Until when the running start is kept. Afterwards any process may start the job again. */
    keptUntil: timestamp('kept_until', { withTimezone: true }),
    /** The name of the error that ended the last start. */
    failure: text('failure'),
  },
  (table) => [
    index('jobs_due').on(table.name, table.startAfter),
    uniqueIndex('jobs_claim').on(table.claim).where(sql`claim is not null`),
  ],
)
