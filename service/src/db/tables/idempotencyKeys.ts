import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.js'

/** Requests that must happen once. A row without a reply is a claim: somebody is at work until the lease ends. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** SHA-256 of caller, path and key, in hex. */
    id: text('id').primaryKey(),
    bodyHash: text('body_hash').notNull(),
    /** Who is at work: a late worker that lost its claim must not write over the next one's answer. */
    claim: uuid('claim').notNull(),
    leaseExpiresAt: timestamp('lease_expires_at', { withTimezone: true }).notNull(),
    status: integer('status'),
    /** Encrypted under a key that only the caller can derive again, because a reply may hold a client secret. */
    reply: bytea('reply'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('idempotency_keys_created_at').on(table.createdAt)],
)
