import { createLog } from '../createLog.js'
import { openDatabase } from '../db/openDatabase.js'
import type { OpenDatabase } from '../db/openedDatabase.js'
import { createJobs, type JobQueue } from '../jobs/createJobs.js'
import { parseConfig } from '../parseConfig.js'
import type { CliContext } from './group.js'

/** Does something with the database, brought up to date, and closes it. */
export const withDatabase = async <Result>(
  { env }: Pick<CliContext, 'env'>,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(parseConfig(env), () => {})
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Does something with the database and its job queue; the jobs are done by the service. */
export const withJobs = async <Result>(
  { env, err }: CliContext,
  work: (database: OpenDatabase, jobs: JobQueue) => Promise<Result>,
): Promise<Result> => {
  const log = createLog(parseConfig(env), { write: err })
  return withDatabase({ env }, async (database) => {
    const jobs = await createJobs(database, log)
    try {
      return await work(database, jobs)
    } finally {
      await jobs.stop()
    }
  })
}
