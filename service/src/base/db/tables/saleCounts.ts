import { foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { collections } from './collections.js'

/** What counts against the limits of sales: the tokens of each buyer, and the uses of each promotion code. */
export const saleCounts = pgTable(
  'sale_counts',
  {
    projectId: uuid('project_id').notNull(),
    collectionId: text('collection_id').notNull(),
    /** The limit and the buyer or code that it counts, such as `email:ada@example.com`. */
    key: text('key').notNull(),
    /** What orders have that are delivered or being delivered. It never exceeds the limit. */
    allocatedCount: integer('allocated_count').notNull().default(0),
    /** What paid orders wait for. */
    reservedCount: integer('reserved_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.collectionId, table.key] }),
    foreignKey({
      // The name that the columns would give it is longer than PostgreSQL keeps.
      name: 'sale_counts_collection',
      columns: [table.projectId, table.collectionId],
      foreignColumns: [collections.projectId, collections.id],
    }),
  ],
)
