import type pg from 'pg'
import type { Database } from './database.js'

/** A migrated database and what lies below drizzle: plain SQL for the job queue, and notifications. */
export type OpenDatabase = {
  db: Database
  /** Present on PostgreSQL, where other processes may share the database. */
  pool: pg.Pool | undefined
  /** Runs plain SQL; several statements are allowed when there are no values. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Runs a query for monitoring, apart from all work: it waits for no connection in use, and ends after a while. */
  watchSql(text: string): Promise<{ rows: unknown[] }>
  /** Calls back for each notification on a channel, after the transaction that sent it has committed. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
