import { bigint, integer, numeric, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { projects } from './projects.js'

/** An amount in base units, which may be more than 64 bits. */
const units = (name: string) => numeric(name, { mode: 'bigint' }).notNull()

const amounts = () => ({
  received: units('received'),
  delivered: units('delivered'),
  open: units('open'),
  refunded: units('refunded'),
  claimable: units('claimable'),
  owed: units('owed'),
})

const place = () => ({
  projectId: uuid('project_id')
    .notNull()
    .references(() => projects.id),
  chain: text('chain').notNull(),
  currency: text('currency').notNull(),
})

/** What became of all money, by project, chain and currency, up to the entries that are not added yet. */
export const ledgerTotals = pgTable('ledger_totals', { ...place(), ...amounts() }, (table) => [
  primaryKey({ columns: [table.projectId, table.chain, table.currency] }),
])

/** What writes of orders have moved since. They are added to the totals in batches and deleted. */
export const ledgerEntries = pgTable('ledger_entries', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  ...place(),
  ...amounts(),
})

/** The last full count that the totals were compared with. Without a row, older orders are not in the totals yet. */
export const ledgerCounts = pgTable('ledger_counts', {
  /** Always 1: there is one row. */
  id: integer('id').primaryKey(),
  countedAt: timestamp('counted_at', { withTimezone: true }).notNull(),
})
