import { asc, eq, sql } from 'drizzle-orm'
import { isVisible } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { projects } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'

const nameForm = /^(?! ).{1,100}(?<! )$/u

const assertName = (field: string, name: string): void => {
  if (nameForm.test(name) && isVisible(name)) return
  throw new ServiceError('input-invalid', `${field}: expected a name of 1 to 100 visible characters`)
}

/**
 * Creates a project, or finds the one with this name.
 *
 * @param displayName - The name that customers see. Without it, the stored one stays.
 * @returns The project's id.
 * @throws {@link ServiceError} `input-invalid` for a name that is empty, too long, or cannot be typed again.
 */
export const createProject = async (db: Database, name: string, displayName?: string): Promise<string> => {
  assertName('project', name)
  if (displayName !== undefined) assertName('display-name', displayName)
  const [project] = await db
    .insert(projects)
    .values({ name, displayName })
    .onConflictDoUpdate({
      target: projects.name,
      set: { displayName: sql`coalesce(excluded.display_name, ${projects.displayName})` },
    })
    .returning({ id: projects.id })
  if (!project) throw new Error(`the project ${name} was not created`)
  return project.id
}

/** Finds the id of a project by its name. */
export const findProject = async (db: Database, name: string): Promise<string | undefined> => {
  const [row] = await db.select({ id: projects.id }).from(projects).where(eq(projects.name, name))
  return row?.id
}

/** Lists the projects of this deployment by name. */
export const listProjects = (db: Database): Promise<(typeof projects.$inferSelect)[]> =>
  db.select().from(projects).orderBy(asc(projects.name))

/**
 * Locks the team and the making of keys of a project until the end of the transaction, so that what was read of it still holds when it is
 * changed. References to the project are not held up.
 */
export const lockTeam = async (tx: Transaction, projectId: string): Promise<void> => {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('no key update')
}
