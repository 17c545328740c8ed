import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * What the operator's key wrote to a chain before this database was restored from a backup, and the backup does not
 * know. Read wherever the service asks what it has written. See `restore/`.
 */
export const adoptedWrites = pgTable(
  'adopted_writes',
  {
    chain: text('chain').notNull(),
    /** What the write is known by on its chain: see `RestorePort.referencesOf`. Of another write, its transaction. */
    reference: text('reference').notNull(),
    kind: text('kind', { enum: ['mint', 'pay-out', 'other'] }).notNull(),
    txId: text('tx_id').notNull(),
    /** The reference of the order whose money was paid out; null for a mint. */
    orderReference: text('order_reference'),
    /** What was paid out; null for a mint. */
    currency: text('currency'),
    /** Base units of `currency`. */
    units: text('units'),
    recipient: text('recipient'),
    /** The contract of a minted token, and its id there; null for a payout. */
    contractAddress: text('contract_address'),
    tokenId: bigint('token_id', { mode: 'bigint' }),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.reference] }),
    index('adopted_writes_order').on(table.chain, table.orderReference),
  ],
)
