import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { projects } from './projects.js'

/** A line item that each order of a payment link buys. */
export type LinkItem = {
  collectionLocator: string
  quantity: number
  callData?: Record<string, unknown>
}

/** Links with a page on which strangers order and pay. */
export const paymentLinks = pgTable(
  'payment_links',
  {
    /** 144 random bits: a caller who knows the id can open the page and order. */
    id: text('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    title: text('title'),
    lineItems: jsonb('line_items').$type<LinkItem[]>().notNull(),
    /** How many of its only line item a buyer may choose; null if the number is fixed. */
    maxQuantity: integer('max_quantity'),
    payment: jsonb('payment').$type<{ method: string; currency: string }>(),
    /** How many orders may be paid; null without a limit. */
    maxUses: integer('max_uses'),
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }),
    successUrl: text('success_url'),
    deactivatedAt: timestamp('deactivated_at', { withTimezone: true, precision: 3 }),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('payment_links_project').on(table.projectId, table.createdAt)],
)

/** A payment link as the database stores it. */
export type PaymentLinkRow = typeof paymentLinks.$inferSelect
