import { createDefaultCollections } from '../collections/createDefaultCollections.js'
import type { Config } from '../config/config.js'
import type { Database } from '../db/database.js'
import { createProject, findProject } from '../projects/projects.js'
import { UsageError } from './UsageError.js'

/** A project to create if none has this name. */
export type OpenProjectInput = Pick<Config, 'environment'> & {
  name: string
  displayName?: string | undefined
}

/** Creates a project with its defaults, or finds the one of this name. */
export const openProject = (
  db: Database,
  { environment, name, displayName }: OpenProjectInput,
): Promise<{ projectId: string; isNew: boolean }> =>
  db.transaction(async (tx) => {
    const isNew = (await findProject(tx, name)) === undefined
    const projectId = await createProject(tx, name, displayName)
    await createDefaultCollections(tx, { projectId, environment }, Date.now())
    return { projectId, isNew }
  })

/**
 * Returns the id of the project in `--project`.
 *
 * @throws {@link UsageError} if there is none.
 */
export const requireProject = async (db: Database, name: string): Promise<string> => {
  const projectId = await findProject(db, name)
  if (projectId === undefined) throw new UsageError(`--project: there is no project ${name}`)
  return projectId
}

/** Returns the id of the project in `--project`, if the option is given. */
export const readProject = async (db: Database, name: string | undefined): Promise<string | undefined> =>
  name === undefined ? undefined : requireProject(db, name)
