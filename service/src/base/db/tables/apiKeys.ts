import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '../../scopes.js'
import { projects } from './projects.js'

/** API keys, by the SHA-256 of their secret. The key itself is shown once and stored nowhere. */
export const apiKeys = pgTable('api_keys', {
  id: uuid('id').primaryKey().defaultRandom(),
  projectId: uuid('project_id')
    .notNull()
    .references(() => projects.id),
  kind: text('kind', { enum: ['server', 'client'] }).notNull(),
  /** SHA-256 in hex. */
  secretHash: text('secret_hash').notNull().unique(),
  scopes: jsonb('scopes').$type<Scope[]>().notNull(),
  /** Web origins that may use a client key. */
  origins: jsonb('origins').$type<string[]>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  /** What its owner calls it; null for keys from before keys had names. */
  name: text('name'),
  /** When a key that was rolled stops working. */
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  /** Written at most once an hour. */
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  /**
   * The account of the console that made it, itself or with a key of its own; null for the operator's command and for
   * keys from before makers were stored.
   */
  makerId: uuid('maker_id'),
})
