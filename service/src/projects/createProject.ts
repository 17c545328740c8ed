import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { projects } from '../db/tables/index.js'

/**
 * Makes a project, or finds the one that has this name already.
 *
 * @returns The project's id.
 */
export const createProject = async (db: Database, name: string): Promise<string> => {
  const [created] = await db
    .insert(projects)
    .values({ name })
    .onConflictDoNothing()
    .returning({ id: projects.id })
  if (created) return created.id
  const [existing] = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name))
  if (!existing) throw new Error(`the project ${name} was not created`)
  return existing.id
}
