import { eq, getTableColumns } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { mails, projects } from '../db/tables/index.js'

/** Selects mails, each with the name of its project. */
export const selectMails = (db: Database) =>
  db
    .select({ ...getTableColumns(mails), project: projects.name })
    .from(mails)
    .innerJoin(projects, eq(projects.id, mails.projectId))

/** A mail as it stands in the database. */
export type StoredMail = Awaited<ReturnType<typeof selectMails>>[number]
