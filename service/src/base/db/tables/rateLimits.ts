import { bigint, integer, pgTable, varchar } from 'drizzle-orm/pg-core'

/**
 * How much of its allowance each caller has used, for processes that share one PostgreSQL. The table is unlogged: a
 * request waits for no disk to be counted, and a crash of the server forgets the counts of the last minute.
 */
export const rateLimits = pgTable('rate_limits', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
})
