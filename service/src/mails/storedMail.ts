import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { mails, projects } from '../db/tables/index.js'

/** The name under which customers know a project. */
const project = sql<string>`coalesce(${projects.displayName}, ${projects.name})`

/** Selects mails, each with the name of its project. */
export const selectMails = (db: Database) =>
  db
    .select({ ...getTableColumns(mails), project })
    .from(mails)
    .innerJoin(projects, eq(projects.id, mails.projectId))

/** A mail as the database stores it. */
export type StoredMail = Awaited<ReturnType<typeof selectMails>>[number]
