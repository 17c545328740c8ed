import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { projects } from './projects.js'

/** What a merchant sells tokens of. */
export const collections = pgTable(
  'collections',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** The merchant's own name for it. */
    id: text('id').notNull(),
    chain: text('chain').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    imageUrl: text('image_url').notNull(),
    symbol: text('symbol').notNull(),
    fungibility: text('fungibility', { enum: ['non-fungible', 'semi-fungible'] }).notNull(),
    isTransferable: boolean('is_transferable').notNull(),
    /** Null means no limit. */
    supplyLimit: integer('supply_limit'),
    /** Price of one token, a decimal string in whole units of `priceCurrency`; null while it is not for sale. */
    price: text('price'),
    priceCurrency: text('price_currency'),
    /** Tokens minted or being minted. */
    allocatedCount: integer('allocated_count').notNull().default(0),
    /** Never goes back, so that no token id is given out twice. */
    nextTokenId: bigint('next_token_id', { mode: 'bigint' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
)
