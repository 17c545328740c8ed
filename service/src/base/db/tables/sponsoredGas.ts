import { index, numeric, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * The gas top-ups that the operator gave to accounts, and what they have spent of them. The rest is for gas
 * and does not belong to an account's own coins. Each row belongs to the transaction of its key. A top-up's
 * row is written before that transaction is signed, and a spending's row once it is in its block.
 */
export const sponsoredGas = pgTable(
  'sponsored_gas',
  {
    /** The key of the transaction in the outbox. */
    key: text('key').primaryKey(),
    chain: text('chain').notNull(),
    account: text('account').notNull(),
    givenWei: numeric('given_wei', { mode: 'bigint' }).notNull(),
    /** What a call's gas took of the top-ups, at most what was left of them. */
    spentWei: numeric('spent_wei', { mode: 'bigint' }).notNull(),
  },
  (table) => [index('sponsored_gas_account').on(table.chain, table.account)],
)
