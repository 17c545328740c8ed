import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './orders.js'
import { payments } from './payments.js'

/** Money to refund to its payer, one row per refund. */
export const refunds = pgTable(
  'refunds',
  {
    /** `refund:<orderId>:<n>` */
    id: text('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    chain: text('chain').notNull(),
    currency: text('currency').notNull(),
    /** Base units of `currency`. */
    units: text('units').notNull(),
    recipient: text('recipient').notNull(),
    reason: text('reason').notNull(),
    /** As in `RefundState`. A row that is `pending` and not released is about to be checked. */
    status: text('status', { enum: ['pending', 'held', 'failed', 'credited', 'sent'] }).notNull(),
    txId: text('tx_id'),
    /** The number of the current attempt. */
    attempt: integer('attempt').notNull().default(1),
    /**
     * Why it is held, why the chain refused the last attempt, or where it waits for its payer. For the
     * operator.
     */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Whether the service or the operator released it, and when. */
    releasedBy: text('released_by', { enum: ['service', 'operator'] }),
    releasedAt: timestamp('released_at', { withTimezone: true }),
    /**
     * Where it goes instead of to its payer: the address that the order, the buyer or the operator named. It is fixed
     * once the refund is released. Of a credit, the address to which the operator sends it.
     */
    sentTo: text('sent_to'),
    /** Which hourly cap of the project its release counted against, if any. */
    countedAs: text('counted_as', { enum: ['small', 'large', 'whole'] }),
    /** Where its money comes from: the order holds it, or its proceeds were swept and the treasury pays. */
    source: text('source', { enum: ['order', 'treasury'] })
      .notNull()
      .default('order'),
    /** Which part of its order's price it is, in hundredths of a percent; null until a cap is looked at. */
    priceShare: integer('price_share'),
    /** Why it is held; null while it is not, and if an earlier version of the service held it. */
    heldAs: text('held_as', { enum: ['below-fee', 'contract-payer', 'refused', 'cap'] }),
    /** The key of the chain write: see `payOutKeyOf`. Null on rows of an earlier version, whose key is their id. */
    payOutKey: text('pay_out_key'),
    /** What the price of its order is worth, in US cents; null until a cap is looked at. */
    priceWorth: bigint('price_worth', { mode: 'number' }),
  },
  (table) => [
    index('refunds_order').on(table.orderId),
    // A transaction that is signed again looks for its refund.
    index('refunds_pay_out').on(sql`coalesce(${table.payOutKey}, ${table.id})`),
    // The service counts the refunds of the last hour before each one that it sends automatically.
    index('refunds_released').on(table.releasedAt),
    // Those that wait for the operator are few.
    index('refunds_waiting').on(table.createdAt).where(sql`status in ('held', 'failed', 'credited')`),
  ],
)

/** A refund as the database stores it. */
export type RefundRow = typeof refunds.$inferSelect

/** Selects the refund that is written under a key. */
export const isPaidUnder = (key: string) => sql`coalesce(${refunds.payOutKey}, ${refunds.id}) = ${key}`
