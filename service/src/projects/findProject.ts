import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { projects } from '../db/tables/index.js'

/** Finds the id of a project by its name. */
export const findProject = async (db: Database, name: string): Promise<string | undefined> => {
  const [row] = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name))
  return row?.id
}
