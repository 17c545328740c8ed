import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createJobs } from '#adapters/jobs/createJobs.js'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import type { Config } from '#base/config/config.js'
import { parseSettings } from '#base/config/parseConfig.js'
import type { Database } from '#base/db/database.js'
import type { Notices } from '#base/db/notices.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import type { Deps, Log } from '#base/deps.js'
import type { CliContext } from './group.js'

type Place = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 'isMigrating'>

/** Only commands that write the first data create a database. */
const assertDatabase = ({ databaseUrl, dataDir }: Place): void => {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'database'))) return
  throw new Error(
    `there is no database in ${dataDir}: set KASSA_DATA_DIR or DATABASE_URL to the existing database`,
  )
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
 * Runs work with the database and closes it, or with a running service's database.
 *
 * @throws Error if there is no database yet.
 */
export const withDatabase = async <Result>(
  { env, service }: CliContext,
  work: (db: Database, notices: Notices) => Promise<Result>,
): Promise<Result> => {
  if (service) return work(service.db, service.notices)
  const place = parseSettings(env)
  assertDatabase(place)
  return open(place, ({ db, notices }) => work(db, notices))
}

/** Does the same, and creates the database if there is none yet. */
export const withNewDatabase = async <Result>(
  { env, service }: CliContext,
  work: (db: Database, notices: Notices) => Promise<Result>,
): Promise<Result> =>
  service
    ? work(service.db, service.notices)
    : open(parseSettings(env), ({ db, notices }) => work(db, notices))

/** Creates the log of a command: only what needs a person is printed. */
export const quietLog = ({ err }: Pick<CliContext, 'err'>): Log => {
  const tell = (_: object, message: string) => err(`kassa-service: ${message}\n`)
  return { info: () => {}, warn: tell, error: tell }
}

/** Runs work with the database and its job queue, whose jobs the service runs. */
export const withJobs = async <Result>(
  context: CliContext,
  work: (deps: Pick<Deps, 'db' | 'jobs' | 'notices'>) => Promise<Result>,
): Promise<Result> => {
  if (context.service) return work(context.service)
  const place = parseSettings(context.env)
  assertDatabase(place)
  const log = quietLog(context)
  return open(place, async (database) => {
    const jobs = createJobs(database, log)
    try {
      return await work({ db: database.db, jobs, notices: database.notices })
    } finally {
      await jobs.stop()
    }
  })
}

/** Migrates the database to this build. A running service has done so already. */
export const migrateDatabase = async ({ env, service }: CliContext): Promise<void> => {
  if (!service) await open({ ...parseSettings(env), isMigrating: true }, async () => {})
}
