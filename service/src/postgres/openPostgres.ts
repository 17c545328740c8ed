import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { OpenDatabase } from '../db/openedDatabase.js'
import { assertSchemaState, migrationsFolder, readSchemaState } from '../db/schemaState.js'

/**
 * Listens on a dedicated connection and reconnects after the server was away. Notifications sent meanwhile
 * are lost, so one may only speed up what polling would find.
 */
const listenOnPostgres = async (
  connectionString: string,
  channel: string,
  onNotification: (payload: string) => void,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> => {
  let isClosed = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, application_name: 'kassa-listen' })
    next.on('notification', ({ payload }) => onNotification(payload ?? ''))
    next.on('error', onError)
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    next.once('end', () => void reconnect())
    client = next
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    while (!isClosed && !client) {
      await sleep(1_000, undefined, { ref: false })
      if (!isClosed) await connect().catch(onError)
    }
  }

  await connect()
  return async () => {
    isClosed = true
    await client?.end()
  }
}

/** Any number works, as long as every process of every release uses the same one. */
const migrationLock = 4_715_003

/** The time limit of a monitoring query. */
const watchMs = 10_000

/**
 * Opens a PostgreSQL database. Processes that start together migrate one after the other.
 *
 * @param onError - Called when an idle connection breaks.
 * @param isMigrating - Whether missing migrations are applied instead of reported.
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
  // A separate pool: a process whose work takes all connections is busy, and must still receive requests.
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
      // Closing the connection, rather than returning it, releases the lock in every case.
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
