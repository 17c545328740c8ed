import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { MailData } from './mailData.js'
import { projects } from './projects.js'

/** E-mails to send, written in the transaction that makes them due. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    recipient: text('recipient').notNull(),
    locale: text('locale').notNull(),
    /** The kind of e-mail. */
    kind: text('kind', {
      enum: [
        'nft-minted',
        'order-confirmed',
        'order-delivered',
        'order-refunded',
        'order-shipped',
        'shipment-cancelled',
      ],
    }).notNull(),
    /** The data filled into its text. */
    data: jsonb('data').$type<MailData>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    sentAt: timestamp('sent_at', { withTimezone: true, precision: 3 }),
    /** The order that it is about, if any. */
    orderId: uuid('order_id'),
  },
  (table) => [
    index('mails_newest').on(table.createdAt),
    index('mails_recipient').on(table.recipient, table.createdAt),
    index('mails_order').on(table.orderId).where(sql`order_id is not null`),
  ],
)
