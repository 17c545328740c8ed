import { createDefaultCollections } from '../collections/createDefaultCollections.js'
import type { Config } from '../config.js'
import type { Database } from '../db/database.js'
import { createProject } from '../projects/createProject.js'
import { findProject } from '../projects/findProject.js'
import { UsageError } from './UsageError.js'

/** A project to make, unless there is one of this name. */
export type OpenProjectInput = Pick<Config, 'environment'> & {
  name: string
  displayName?: string | undefined
}

/** Makes a project with what every project has, or finds the one of this name. */
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
 * The id of the project that `--project` names.
 *
 * @throws {@link UsageError}
 */
export const requireProject = async (db: Database, name: string): Promise<string> => {
  const projectId = await findProject(db, name)
  if (projectId === undefined) throw new UsageError(`--project: there is no project ${name}`)
  return projectId
}

/** The id of the project that `--project` names, if it names any. */
export const readProject = async (db: Database, name: string | undefined): Promise<string | undefined> =>
  name === undefined ? undefined : requireProject(db, name)
