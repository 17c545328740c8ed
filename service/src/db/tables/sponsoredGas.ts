import { index, numeric, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * The gas money that the operator gave to accounts, and what they have spent of it: what is left is for their gas, and
 * is none of their own coins. Each row goes with the transaction of its key; it is written before that is signed where
 * it gives, and once that is in its block where it spends.
 */
export const sponsoredGas = pgTable(
  'sponsored_gas',
  {
    /** Of the transaction, as the outbox has it. */
    key: text('key').primaryKey(),
    chain: text('chain').notNull(),
    account: text('account').notNull(),
    givenWei: numeric('given_wei', { mode: 'bigint' }).notNull(),
    /** What a call's gas took of what was given, never more than was left of it. */
    spentWei: numeric('spent_wei', { mode: 'bigint' }).notNull(),
  },
  (table) => [index('sponsored_gas_account').on(table.chain, table.account)],
)
