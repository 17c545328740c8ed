import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Template } from 'kassa/schema'
import { collections } from './collections.js'

/** The templates that tokens of a collection are copies of. */
export const templates = pgTable(
  'templates',
  {
    /** Chosen by the service or the caller, or derived from the name. */
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    collectionId: text('collection_id').notNull(),
    metadata: jsonb('metadata').$type<Template['metadata']>().notNull(),
    /** The token id that all copies share, in a semi-fungible collection. */
    tokenId: bigint('token_id', { mode: 'bigint' }),
    /** Null means that only the collection's limit applies. */
    supplyLimit: integer('supply_limit'),
    /** Tokens minted or being minted. */
    allocatedCount: integer('allocated_count').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** Null for a template from before the service stored it. */
    requestHash: text('request_hash'),
    /** A deleted template stays for the tokens and the orders that name it. */
    deletedAt: timestamp('deleted_at', { withTimezone: true, precision: 3 }),
    /** Copies that paid orders wait for, without a token id yet. */
    reservedCount: integer('reserved_count').notNull().default(0),
    /** The id that the caller chose, if it is no UUID. */
    name: text('name'),
    /** How often the limit has grown after the first copy. The contract counts the copies of each time by themselves. */
    limitRevision: integer('limit_revision').notNull().default(0),
    /** How many copies were minted before the limit grew last. The contract counts them elsewhere. */
    limitBase: integer('limit_base').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.collectionId, table.id] }),
    foreignKey({
      columns: [table.projectId, table.collectionId],
      foreignColumns: [collections.projectId, collections.id],
    }),
    index('templates_newest').on(table.projectId, table.collectionId, table.createdAt, table.id),
    uniqueIndex('templates_token_id').on(table.projectId, table.collectionId, table.tokenId),
  ],
)
