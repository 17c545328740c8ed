import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

/** The wallets of allow-lists. A list never changes: new phases of a sale have lists of their own. */
export const allowListAddresses = pgTable(
  'allow_list_addresses',
  {
    listId: uuid('list_id').notNull(),
    /** In the chain's canonical form. */
    address: text('address').notNull(),
  },
  (table) => [primaryKey({ columns: [table.listId, table.address] })],
)
