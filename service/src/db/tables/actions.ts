import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ActionData } from 'kassa/schema'
import { projects } from './projects.js'

/** What changes a chain, and what became of it. */
export const actions = pgTable(
  'actions',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    action: text('action', {
      enum: ['collections.create', 'collections.update', 'nfts.create', 'nfts.update'],
    }).notNull(),
    status: text('status', { enum: ['pending', 'succeeded', 'failed'] }).notNull(),
    /** What its webhook event tells, as far as is known. */
    data: jsonb('data').$type<ActionData>().notNull(),
    /** Path of what it is about, below `{base_url}`. */
    resource: text('resource').notNull(),
    startedAt: timestamp('started_at', { withTimezone: true, precision: 3 }).notNull(),
    completedAt: timestamp('completed_at', { withTimezone: true, precision: 3 }),
  },
  (table) => [index('actions_project').on(table.projectId, table.startedAt)],
)
