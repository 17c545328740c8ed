import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { projects } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'

const nameForm = /^(?! )[^\p{Cc}]{1,100}(?<! )$/u

/**
 * Makes a project, or finds the one that has this name already.
 *
 * @returns The project's id.
 * @throws {@link ServiceError} `input-invalid` for a name that is empty, too long, or not fit to be typed again.
 */
export const createProject = async (db: Database, name: string): Promise<string> => {
  if (!nameForm.test(name)) {
    throw new ServiceError('input-invalid', 'project: expected a name of 1 to 100 characters')
  }
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
