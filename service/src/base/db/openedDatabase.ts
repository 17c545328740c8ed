import type pg from 'pg'
import type { Database } from './database.js'
import type { Notices } from './notices.js'

/** A migrated database with the layer below drizzle: plain SQL for the job queue, and notices. */
export type OpenDatabase = {
  db: Database
  /** Present on PostgreSQL, where other processes may share the database. */
  pool: pg.Pool | undefined
  /** Runs plain SQL. Several statements are allowed if there are no values. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Runs a monitoring query apart from all work: it waits for no busy connection, and has a time limit. */
  watchSql(text: string): Promise<{ rows: unknown[] }>
  /** Tells the processes that share the database of changes. */
  notices: Notices
  close(): Promise<void>
}
