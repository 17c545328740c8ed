import type { Database } from './database.js'
import { openPglite } from './openPglite.js'
import { openPostgres, type PostgresPool } from './openPostgres.js'

/** A migrated database and what lies below drizzle: plain SQL for the job queue, and notifications. */
export type OpenDatabase = {
  db: Database
  /** Present on PostgreSQL, where other processes may share the database. */
  pool: PostgresPool | undefined
  /** Runs plain SQL; several statements are allowed when there are no values. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Calls back for each notification on a channel, after the transaction that sent it has committed. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/**
 * Opens the deployment's database, PostgreSQL or its embedded twin, and brings its schema up to date.
 *
 * @throws Error when the embedded database's folder is in use by another process.
 */
export const openDatabase = (
  config: { databaseUrl: string | undefined; dataDir: string },
  onError: (error: unknown) => void,
): Promise<OpenDatabase> =>
  config.databaseUrl ? openPostgres(config.databaseUrl, onError) : openPglite(config.dataDir)
