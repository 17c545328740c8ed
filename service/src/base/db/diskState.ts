import { sql } from 'drizzle-orm'
import type { Database } from './database.js'
import type { OpenDatabase } from './openedDatabase.js'

/** Runs statements in one transaction. */
type RunTogether = (statements: readonly string[]) => Promise<unknown>

/** The SQLSTATE of a disk without room. */
const diskFull = '53100'

/** Sorts more than fits into its memory, which needs room on the disk and leaves nothing behind. */
const statements = [
  `set local work_mem = '64kB'`,
  'select count(*) from (select md5(n::text) as word from generate_series(1, 20000) as n order by word offset 0) as sorted',
]

const causesOf = function* (error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/**
 * Whether the database cannot store anything because its disk is full. It answers questions then, so only one that
 * needs room shows it.
 *
 * @throws if the database does not answer.
 */
export const isDiskFull = async (run: RunTogether): Promise<boolean> => {
  try {
    await run(statements)
    return false
  } catch (error) {
    for (const cause of causesOf(error)) {
      if ('code' in cause && cause.code === diskFull) return true
      if (/no space left|ENOSPC/i.test(cause.message)) return true
    }
    throw error
  }
}

/** Runs statements on a connection of the pool. */
export const runInTransaction =
  (db: Database): RunTogether =>
  (texts) =>
    db.transaction(async (tx) => {
      for (const text of texts) await tx.execute(sql.raw(text))
    })

/** Runs statements on the connection for monitoring, so that it works while the pool is busy. */
export const runWatching =
  (watchSql: OpenDatabase['watchSql']): RunTogether =>
  (texts) =>
    watchSql(texts.join('; '))
