import type { Config } from '#base/config/config.js'
import type { Database } from '#base/db/database.js'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { createProject, findProject, listProjects } from '#identity/projects/projects.js'
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

/** Returns how many letters must be added, removed or replaced to turn one text into another. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const refuseName = (name: string, known: readonly { name: string }[]): UsageError => {
  const near = known
    .map((project) => ({ ...project, away: distance(name.toLowerCase(), project.name.toLowerCase()) }))
    .filter(({ away }) => away <= Math.max(2, name.length / 3))
    .sort((one, other) => one.away - other.away)
  const [nearest] = near
  const hint = nearest
    ? `Did you mean ${nearest.name}?`
    : `Known: ${known.map((project) => project.name).join(', ') || 'none'}.`
  return new UsageError(
    `--project: there is no project ${name}. ${hint} To create it: kassa-service projects create ${name}`,
  )
}

/**
 * Returns the id of the project in `--project`.
 *
 * @throws {@link UsageError} if there is none, naming the nearest.
 */
export const requireProject = async (db: Database, name: string): Promise<string> => {
  const projectId = await findProject(db, name)
  if (projectId === undefined) throw refuseName(name, await listProjects(db))
  return projectId
}

/**
 * Finds the project in `--project`. It creates the first project of a deployment, whose name cannot be a mistyped one.
 *
 * @throws {@link UsageError} if other projects exist and none has this name, naming the nearest.
 */
export const openFirstProject = async (
  db: Database,
  input: OpenProjectInput,
): Promise<{ projectId: string; isNew: boolean }> => {
  const known = await listProjects(db)
  if (known.length && !known.some(({ name }) => name === input.name)) throw refuseName(input.name, known)
  return openProject(db, input)
}

/** Returns the id of the project in `--project`, if the option is given. */
export const readProject = async (db: Database, name: string | undefined): Promise<string | undefined> =>
  name === undefined ? undefined : requireProject(db, name)
