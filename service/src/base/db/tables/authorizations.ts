import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { AuthorizationKind } from 'kassa/schema'
import { orders } from './orders.js'

/** An authorization that agrees with its order, as the service stores it. */
export type StoredAuthorization = {
  kind: AuthorizationKind
  payer: string
  nonce: string
  /** @units epoch seconds, in decimal digits */
  validAfter: string
  validBefore: string
  signature: string
  /** The permit that lets Permit2 move the token. */
  permit?: { deadline: string; signature: string }
}

/**
 * Payments that their payers signed and the operator sends. A row is written before the chain is asked about it, and is
 * what a repeated request is answered from.
 */
export const authorizations = pgTable(
  'authorizations',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    projectId: uuid('project_id').notNull(),
    chain: text('chain').notNull(),
    currency: text('currency').notNull(),
    /** Base units of `currency`. */
    units: text('units').notNull(),
    payer: text('payer').notNull(),
    /** SHA-256 of all that was signed, in hex. The key of the chain write names it. */
    content: text('content').notNull(),
    signed: jsonb('signed').$type<StoredAuthorization>().notNull(),
    validBefore: timestamp('valid_before', { withTimezone: true }).notNull(),
    /**
     * `stored` is to be simulated, and `sent` is signed by the operator and on its way. These two may still move money.
     * `refused` was never sent, and can be brought again.
     */
    status: text('status', {
      enum: ['stored', 'sent', 'settled', 'refused', 'failed', 'expired'],
    }).notNull(),
    /** The number of the current attempt: the chain may take later what it refused. */
    attempt: integer('attempt').notNull().default(1),
    txId: text('tx_id'),
    /** Why it moved no money, in the words of x402. */
    reason: text('reason'),
    /** The same as a sentence. */
    failure: text('failure'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** When its present attempt began, from which it counts against the caps of a day. */
    startedAt: timestamp('started_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    uniqueIndex('authorizations_content').on(table.orderId, table.content),
    // Only one of an order may move money at a time.
    uniqueIndex('authorizations_alive').on(table.orderId).where(sql`status in ('stored', 'sent')`),
    // The caps count those that were not refused.
    index('authorizations_payer').on(table.chain, table.payer, table.startedAt),
    index('authorizations_project').on(table.projectId, table.startedAt),
    index('authorizations_chain').on(table.chain, table.startedAt),
    // A transaction that is signed again looks for its authorization.
    index('authorizations_key').on(table.content),
  ],
)

/** An authorization as the database stores it. */
export type AuthorizationRow = typeof authorizations.$inferSelect
