import type pg from 'pg'
import type { Database } from './database.js'

/** A migrated database with the layer below drizzle: plain SQL for the job queue, and notifications. */
export type OpenDatabase = {
  db: Database
  /** Present on PostgreSQL, where other processes may share the database. */
  pool: pg.Pool | undefined
  /** Runs plain SQL. Several statements are allowed if there are no values. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Runs a monitoring query apart from all work: it waits for no busy connection, and has a time limit. */
  watchSql(text: string): Promise<{ rows: unknown[] }>
  /** Calls back for each notification on a channel, after the transaction that sent it has committed. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
