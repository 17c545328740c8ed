import { asc } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { projects } from '../db/tables/index.js'

/** Lists the projects of this deployment by name. */
export const listProjects = (db: Database): Promise<(typeof projects.$inferSelect)[]> =>
  db.select().from(projects).orderBy(asc(projects.name))
