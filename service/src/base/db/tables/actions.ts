import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ActionData } from 'kassa/schema'
import { projects } from './projects.js'

/** Writes to a chain that callers follow, and their results. */
export const actions = pgTable(
  'actions',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    action: text('action', {
      enum: ['collections.create', 'collections.update', 'nfts.create', 'nfts.update', 'nfts.delete'],
    }).notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] }).notNull(),
    /** The data of its webhook event, as far as it is known. */
    data: jsonb('data').$type<ActionData>().notNull(),
    /** Path of its subject, below `{base_url}`. */
    resource: text('resource').notNull(),
    startedAt: timestamp('started_at', { withTimezone: true, precision: 3 }).notNull(),
    completedAt: timestamp('completed_at', { withTimezone: true, precision: 3 }),
  },
  (table) => [index('actions_project').on(table.projectId, table.startedAt)],
)
