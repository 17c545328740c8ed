import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.js'

/**
 * Requests that must happen once. A row without a reply is a claim: a process handles the request until the
 * lease ends.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** SHA-256 of caller, path and key, in hex. */
    id: text('id').primaryKey(),
    bodyHash: text('body_hash').notNull(),
    /**
     * The process that handles it. A late process that lost its claim must not overwrite the next one's
     * answer.
     */
    claim: uuid('claim').notNull(),
    leaseExpiresAt: timestamp('lease_expires_at', { withTimezone: true }).notNull(),
    status: integer('status'),
    /**
     * Encrypted under a key that only the caller can derive again, because a reply may contain a client
     * secret.
     */
    reply: bytea('reply'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('idempotency_keys_created_at').on(table.createdAt)],
)
