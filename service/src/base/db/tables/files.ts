import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.js'

/** Contents by their IPFS content identifier. */
export const files = pgTable('files', {
  cid: text('cid').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea('bytes').notNull(),
  /** When the deployment's IPFS node pinned it; null until then. */
  pinnedAt: timestamp('pinned_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
