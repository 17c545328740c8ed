import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { listenOnPostgres } from './listenOnPostgres.js'
import { migrationsFolder } from './migrationsFolder.js'
import type { OpenDatabase } from './openedDatabase.js'
import { assertSchemaState, readSchemaState } from './schemaState.js'

/** Any number will do, as long as every process of every release asks for the same one. */
const migrationLock = 4_715_003

/** What is asked for monitoring may take so long; more is not told. */
const watchMs = 10_000

/**
 * Opens a PostgreSQL database. Processes that start together migrate one after the other.
 *
 * @param onError - Told of connections that broke while idle.
 * @param isMigrating - Whether what is missing is put in place, rather than complained of.
 */
export const openPostgres = async (
  connectionString: string,
  onError: (error: unknown) => void,
  isMigrating = true,
): Promise<OpenDatabase> => {
  const pool = new pg.Pool({
    connectionString,
    max: 16,
    connectionTimeoutMillis: 5_000,
    application_name: 'kassa',
  })
  pool.on('error', onError)
  // Work that takes all connections makes a process busy, not one that requests are to be kept from.
  const watching = new pg.Pool({
    connectionString,
    max: 2,
    connectionTimeoutMillis: 5_000,
    statement_timeout: watchMs,
    application_name: 'kassa-watch',
  })
  watching.on('error', onError)
  try {
    const client = await pool.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [migrationLock])
      assertSchemaState(await readSchemaState((text) => client.query(text)), isMigrating)
      if (isMigrating) await migrate(drizzle(client), { migrationsFolder })
    } finally {
      // Closing the connection, rather than giving it back, releases the lock whatever happened.
      client.release(true)
    }
  } catch (error) {
    await Promise.all([pool.end(), watching.end()])
    throw error
  }
  return {
    db: drizzle(pool),
    pool,
    executeSql: async (text, values) => {
      const result: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values)
      return { rows: (Array.isArray(result) ? result.at(-1)?.rows : result.rows) ?? [] }
    },
    watchSql: (text) => watching.query(text),
    listen: (channel, onNotification) => listenOnPostgres(connectionString, channel, onNotification, onError),
    close: async () => {
      await Promise.all([pool.end(), watching.end()])
    },
  }
}
