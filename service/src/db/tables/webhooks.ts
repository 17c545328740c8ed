import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { WebhookEventType } from 'kassa/schema'
import { projects } from './projects.js'

/** Where a project is told what happens. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    url: text('url').notNull(),
    eventTypes: jsonb('event_types').$type<WebhookEventType[]>().notNull(),
    /** Signing secrets, newest first, each encrypted; during a rotation also those that still count. */
    secrets: jsonb('secrets').$type<{ encrypted: string; expiresAt?: string }[]>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** Removed endpoints are told nothing more; their deliveries stay to be looked at. */
    removedAt: timestamp('removed_at', { withTimezone: true, precision: 3 }),
  },
  (table) => [index('webhook_endpoints_project').on(table.projectId)],
)

/** What happened, in the bytes that are signed; written in the transaction that makes it so. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** `msg_…`: what receivers recognise a repeated event by. */
    id: text('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    type: text('type').$type<WebhookEventType>().notNull(),
    body: text('body').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('webhook_events_project').on(table.projectId, table.createdAt)],
)

/** The way of one event to one endpoint. */
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
    /** How often it was sent since it was first, or last by hand, put on its way. */
    attempts: integer('attempts').notNull().default(0),
    /** Counts the times it was put on its way, so that a job of an earlier time does nothing. */
    round: integer('round').notNull().default(1),
    /** The status of the last answer; null when there was none. */
    lastStatus: integer('last_status'),
    /** Why the last attempt failed, for the operator: never what a receiver said. */
    lastFailure: text('last_failure'),
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true, precision: 3 }),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.endpointId] }),
    index('webhook_deliveries_endpoint').on(table.endpointId, table.status),
  ],
)
