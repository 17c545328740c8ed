import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { WebhookEventType } from 'kassa/schema'
import { projects } from './projects.js'

/** The endpoints that receive a project's events. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    url: text('url').notNull(),
    eventTypes: jsonb('event_types').$type<WebhookEventType[]>().notNull(),
    /**
     * Signing secrets, newest first, each encrypted. During a rotation they include the old ones that are
     * still valid.
     */
    secrets: jsonb('secrets').$type<{ encrypted: string; expiresAt?: string }[]>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** Removed endpoints receive nothing more. Their deliveries stay readable. */
    removedAt: timestamp('removed_at', { withTimezone: true, precision: 3 }),
    /** A disabled endpoint receives nothing, and can be enabled again. */
    disabledAt: timestamp('disabled_at', { withTimezone: true, precision: 3 }),
  },
  (table) => [index('webhook_endpoints_project').on(table.projectId)],
)

/** Events, in the bytes that are signed, written in the transaction that makes them true. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `msg_…`: receivers recognise a repeated event by it. */
    id: text('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    type: text('type').$type<WebhookEventType | 'webhooks.test'>().notNull(),
    body: text('body').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The order that it is about, if any. */
    orderId: uuid('order_id'),
  },
  (table) => [
    index('webhook_events_project').on(table.projectId, table.createdAt),
    // The oldest are deleted.
    index('webhook_events_order').on(table.orderId).where(sql`order_id is not null`),
    index('webhook_events_created').on(table.createdAt),
  ],
)

/** The delivery of one event to one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] }).notNull(),
    /** How many attempts there were since the first send or the last replay. */
    attempts: integer('attempts').notNull().default(0),
    /** Counts the sends and replays, so that a job of an earlier round does nothing. */
    round: integer('round').notNull().default(1),
    /** The status of the last answer; null if there was none. */
    lastStatus: integer('last_status'),
    /** Why the last attempt failed, for the operator. It never contains the receiver's answer. */
    lastFailure: text('last_failure'),
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true, precision: 3 }),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.endpointId] }),
    index('webhook_deliveries_endpoint').on(table.endpointId, table.status),
    index('webhook_deliveries_updated').on(table.updatedAt),
  ],
)

/** The attempts of deliveries, deleted with them. They contain nothing of the receivers' answers. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    eventId: text('event_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    round: integer('round').notNull(),
    attempt: integer('attempt').notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
    /** Null without an answer. */
    status: integer('status'),
    failure: text('failure'),
    durationMs: integer('duration_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.endpointId, table.round, table.attempt] }),
    foreignKey({
      name: 'webhook_attempts_delivery',
      columns: [table.eventId, table.endpointId],
      foreignColumns: [webhookDeliveries.eventId, webhookDeliveries.endpointId],
    }).onDelete('cascade'),
  ],
)
