import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.js'
import type { Database } from '../db/database.js'
import { openDatabase } from '../db/openDatabase.js'
import type { OpenDatabase } from '../db/openedDatabase.js'
import type { Log } from '../deps.js'
import { createJobs } from '../jobs/createJobs.js'
import type { Jobs } from '../jobs/port.js'
import { parseSettings } from '../parseConfig.js'
import type { CliContext } from './group.js'

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Only what writes the first thing into a database makes one. */
const assertDatabase = ({ databaseUrl, dataDir }: Place): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'database'))) return
  throw new Error(`there is no database in ${dataDir}: set KASSA_DATA_DIR or DATABASE_URL to where it is`)
}

const open = async <Result>(
  place: Place,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(place, () => {})
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Does something with the database, brought up to date, and closes it; in a service that runs, with the service's.
 *
 * @throws Error where there is none yet.
 */
export const withDatabase = async <Result>(
  { env, service }: CliContext,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => {
  if (service) return work(service.db)
  const place = parseSettings(env)
  assertDatabase(place)
  return open(place, ({ db }) => work(db))
}

/** Does the same, and makes the database where there is none yet. */
export const withNewDatabase = async <Result>(
  { env, service }: CliContext,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => (service ? work(service.db) : open(parseSettings(env), ({ db }) => work(db)))

/** Does something with the database and its job queue; the jobs are done by the service. */
export const withJobs = async <Result>(
  { env, err, service }: CliContext,
  work: (db: Database, jobs: Jobs) => Promise<Result>,
): Promise<Result> => {
  if (service) return work(service.db, service.jobs)
  const place = parseSettings(env)
  assertDatabase(place)
  const tell = (_: object, message: string) => err(`kassa: ${message}\n`)
  const log: Log = { info: () => {}, warn: tell, error: tell }
  return open(place, async (database) => {
    const jobs = await createJobs(database, log)
    try {
      return await work(database.db, jobs)
    } finally {
      await jobs.stop()
    }
  })
}
