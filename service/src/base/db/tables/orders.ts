import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Phase } from 'kassa/schema'
import { orderDocument } from './orderDocument.js'
import { paymentLinks } from './paymentLinks.js'
import { projects } from './projects.js'

/**
 * Orders. The state is one document, read and written whole under `for update`. The other columns are copies
 * for queries.
 */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** SHA-256 in hex. */
    clientSecretHash: text('client_secret_hash').notNull().unique(),
    phase: text('phase').$type<Phase>().notNull(),
    /** The chain on which the order is to be paid. */
    chain: text('chain').notNull(),
    quoteExpiresAt: timestamp('quote_expires_at', { withTimezone: true }),
    /** When a buyer last reported a transaction. */
    hintedAt: timestamp('hinted_at', { withTimezone: true }),
    /** Counts the writes, so that work based on an older read is detected. */
    revision: integer('revision').notNull().default(0),
    document: orderDocument('document').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The same as `hintedAt`, while one of the reported transactions is no known payment. */
    openHintAt: timestamp('open_hint_at', { withTimezone: true }),
    /** What a merchant finds it by, in lower case; null for one that only builds without the search have written. */
    terms: text('terms').array(),
    /** The payment link that its buyer opened. */
    paymentLinkId: text('payment_link_id').references(() => paymentLinks.id),
  },
  (table) => [
    index('orders_newest').on(table.projectId, table.createdAt, table.id),
    // Orders of a template are counted while it is locked.
    index('orders_phase').on(table.projectId, table.phase),
    index('orders_phase_newest').on(table.projectId, table.phase, table.createdAt, table.id),
    index('orders_terms').using('gin', table.terms),
    // The uses of a link are counted while it is locked.
    index('orders_payment_link').on(table.paymentLinkId).where(sql`payment_link_id is not null`),
    index('orders_without_terms').on(table.id).where(sql`terms is null`),
    index('orders_unfinished').on(table.phase).where(sql`phase in ('delivery', 'payment')`),
    index('orders_open').on(table.chain, table.phase),
    index('orders_expiring').on(table.chain, table.quoteExpiresAt).where(sql`phase = 'payment'`),
    index('orders_hinted').on(table.hintedAt),
    index('orders_open_hints').on(table.openHintAt, table.id).where(sql`open_hint_at is not null`),
    // Parcels that wait are looked for among the orders with an address.
    index('orders_addressed')
      .on(table.projectId, table.createdAt)
      .where(sql`document #> '{recipient,physicalAddress}' is not null`),
  ],
)
