import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'

/** The targets at which an order can be paid on a chain. Every target of an order stays watched. */
export const paymentTargets = pgTable(
  'payment_targets',
  {
    chain: text('chain').notNull(),
    /** The order's deposit address, its address on Solana, or its reference at the router. */
    target: text('target').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    watchedUntil: timestamp('watched_until', { withTimezone: true }).notNull(),
    /** Until then, every new block is searched for it; afterwards, final blocks are, every ten minutes. Null: no end. */
    liveUntil: timestamp('live_until', { withTimezone: true }),
    /**
     * On Solana, whether it is a reference, from before orders there had addresses with a key. What a process of an
     * earlier build writes is one, and elsewhere it says nothing.
     */
    isSeeded: boolean('is_seeded').notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.target] }),
    index('payment_targets_watched').on(table.watchedUntil),
    index('payment_targets_live').on(table.liveUntil),
    index('payment_targets_order').on(table.orderId),
    index('payment_targets_seeded').on(table.chain).where(sql`${table.isSeeded}`),
  ],
)
