import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { withCommitTasks } from '#base/db/commitTasks.js'
import { createNotices } from '#base/db/notices.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { assertSchemaState, migrationsFolder, readSchemaState } from '#base/db/schemaState.js'
import { createPreparingClient, UnpreparedClient } from './preparedStatements.js'

/** Any name works, as long as every process uses the same one. */
const channel = 'kassa'

/** How long nothing is said of more breaks after one: an outage breaks every connection, and each attempt fails. */
const quietMs = 60_000

const limitReports = (onError: (error: unknown) => void): ((error: unknown) => void) => {
  let toldAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (performance.now() - toldAtMs < quietMs) return
    toldAtMs = performance.now()
    onError(error)
  }
}

const maxReconnectMs = 4_000

type Listener = {
  onPayload(payload: string): void
  /** Called when notifications may have been lost. */
  onGap(): void
  onError(error: unknown): void
}

/**
 * Listens on a dedicated connection and reconnects after the server was away. Notifications sent meanwhile
 * are lost, so one may only speed up what polling would find.
 */
const listenOnPostgres = async (
  connectionString: string,
  { onPayload, onGap, onError }: Listener,
): Promise<() => Promise<void>> => {
  let isClosed = false
  let client: pg.Client | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, application_name: 'kassa-listen' })
    next.on('notification', ({ payload }) => onPayload(payload ?? ''))
    next.on('error', onError)
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    next.once('end', () => void reconnect())
    client = next
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    for (let waitMs = 1_000; !isClosed && !client; waitMs = Math.min(2 * waitMs, maxReconnectMs)) {
      await sleep(waitMs, undefined, { ref: false })
      if (!isClosed) await connect().then(onGap, onError)
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
 * Reports connections that break. The pool listens to those that are idle. One that breaks while a transaction uses it
 * fails the next statement, and would end the process if nothing listened to it.
 */
const surviveBreaks = (pool: pg.Pool, onError: (error: unknown) => void): void => {
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
}

/**
 * Opens drizzle on a pool whose transactions always give their connection back. Drizzle's own keep it when `begin`
 * fails, until the pool has none left. A connection whose transaction has not ended is closed.
 */
const openDrizzle = (pool: pg.Pool) => {
  const db = drizzle(pool)
  const opened = new WeakMap<
    pg.PoolClient,
    ReturnType<typeof drizzle<Record<string, never>, pg.PoolClient>>
  >()
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect()
    const own = opened.get(client) ?? drizzle(client)
    opened.set(client, own)
    try {
      return await own.transaction(work, config)
    } finally {
      client.release(client.getTransactionStatus() !== 'I')
    }
  }
  return Object.assign(db, { transaction })
}

/** How to open a PostgreSQL database. */
export type PostgresOptions = {
  /** Whether missing migrations are applied instead of reported. */
  isMigrating?: boolean | undefined
  /**
   * The URL of the server itself, where the other one is that of a pool that gives a connection to each transaction.
   * Migrations and notifications need a connection of their own.
   */
  directUrl?: string | undefined
}

/** Migrates the schema, or checks it. The lock is held by a connection, which no other statement shares. */
const prepareSchema = async (connectionString: string, isMigrating: boolean): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    application_name: 'kassa',
  })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    assertSchemaState(await readSchemaState((text) => client.query(text)), isMigrating)
    if (isMigrating) await migrate(drizzle(client), { migrationsFolder })
  } finally {
    // Closing the connection releases the lock in every case.
    await client.end()
  }
}

/**
 * Opens a PostgreSQL database. Processes that start together migrate one after the other.
 *
 * @param tellOfBreak - Called when a connection breaks: at most once a minute, however many an outage breaks.
 */
export const openPostgres = async (
  connectionString: string,
  tellOfBreak: (error: unknown) => void,
  { isMigrating = true, directUrl = connectionString }: PostgresOptions = {},
): Promise<OpenDatabase> => {
  const onError = limitReports(tellOfBreak)
  const pool = new pg.Pool({
    Client: directUrl === connectionString ? createPreparingClient() : UnpreparedClient,
    connectionString,
    max: 16,
    connectionTimeoutMillis: 5_000,
    application_name: 'kassa',
  })
  surviveBreaks(pool, onError)
  // A separate pool: a process whose work takes all connections is busy, and must still receive requests.
  const watching = new pg.Pool({
    connectionString: directUrl,
    max: 2,
    connectionTimeoutMillis: 5_000,
    statement_timeout: watchMs,
    application_name: 'kassa-watch',
  })
  surviveBreaks(watching, onError)
  try {
    await prepareSchema(directUrl, isMigrating)
  } catch (error) {
    await Promise.all([pool.end(), watching.end()])
    throw error
  }
  const notices = createNotices(randomUUID(), {
    send: async (payloads) => {
      await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        channel,
        payloads,
      ])
    },
    listen: (onPayload, onGap) => listenOnPostgres(directUrl, { onPayload, onGap, onError }),
    onError,
  })
  return {
    db: withCommitTasks(openDrizzle(pool)),
    pool,
    executeSql: async (text, values) => {
      const result: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values)
      return { rows: (Array.isArray(result) ? result.at(-1)?.rows : result.rows) ?? [] }
    },
    watchSql: (text) => watching.query(text),
    notices,
    close: async () => {
      await notices.close()
      await Promise.all([pool.end(), watching.end()])
    },
  }
}
