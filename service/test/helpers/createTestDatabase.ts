import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { openPglite, toOpenDatabase } from '#adapters/postgres/openPglite.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { migrationsFolder } from '#base/db/schemaState.js'
import { nameOf, startPostgres } from './startPostgres.js'

const folder = fileURLToPath(new URL('../../../.kassa/test', import.meta.url))

const templateName = (): string => {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrationsFolder).sort()) {
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  }
  hash.update(readFileSync(join(migrationsFolder, 'meta/_journal.json')))
  hash.update(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url))))
  return `database-${hash.digest('hex').slice(0, 16)}.tar`
}

/**
 * Creating a database takes seconds, and copying one does not. The first test that needs one leaves a copy
 * for all others.
 */
const openTemplate = async (): Promise<Blob> => {
  const path = join(folder, templateName())
  try {
    return new Blob([readFileSync(path)])
  } catch {
    const database = await openPglite(undefined)
    const copy = await database.client.dumpDataDir('none')
    await database.close()
    mkdirSync(folder, { recursive: true })
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, new Uint8Array(await copy.arrayBuffer()))
    renameSync(draft, path)
    return copy
  }
}

/** Fills a data folder that has no database with a new migrated one, as `kassa-service migrate` does, only sooner. */
export const fillDataDir = async (dataDir: string): Promise<void> => {
  if (existsSync(join(dataDir, 'database'))) return
  const path = join(folder, templateName().replace('.tar', ''))
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`
    const database = await openPglite(draft)
    await database.close()
    // Another worker may have been sooner.
    if (existsSync(path)) rmSync(draft, { recursive: true })
    else renameSync(draft, path)
  }
  cpSync(path, dataDir, { recursive: true })
}

/** Returns the tables of a database that have rows, as the words of a statement. */
const findFilled = async ({ executeSql }: Pick<OpenDatabase, 'executeSql'>): Promise<string[]> => {
  const { rows } = await executeSql(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const names = (rows as { name: string }[]).map(({ name }) => name)
  const looks = names.map((name) => `(select '${name}' as name where exists (select 1 from ${name}))`)
  const filled = await executeSql(looks.join(' union all '))
  return (filled.rows as { name: string }[]).map(({ name }) => name)
}

/** Deletes every row but what the migrations wrote, which is quicker than a new database. */
const empty = async (database: Pick<OpenDatabase, 'executeSql'>): Promise<void> => {
  const names = await findFilled(database)
  if (names.length > 0) await database.executeSql(`truncate ${names.join(', ')} restart identity cascade`)
  await database.executeSql(
    'insert into ledger_counts (id, counted_at) values (1, now()) on conflict do nothing',
  )
}

/** Embedded databases of this worker that no test uses at the moment. Opening one takes seconds. */
const idleClients: PGlite[] = []

/** Returns the same client, which refuses work once a test has given it back. */
const lend = (client: PGlite) => {
  let isLent = true
  const lent = new Proxy(client, {
    get: (target, member) => {
      if (!isLent) throw new Error('The test that opened this database has closed it.')
      const value: unknown = Reflect.get(target, member, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const end = (): boolean => {
    const wasLent = isLent
    isLent = false
    return wasLent
  }
  return { lent, end }
}

/** Opens an empty migrated database in memory, of the kind that the service embeds. */
export const createEmbeddedDatabase = async (): Promise<OpenDatabase> => {
  const client = idleClients.pop() ?? (await openPglite(undefined, await openTemplate())).client
  const { lent, end } = lend(client)
  return {
    ...toOpenDatabase(lent),
    close: async () => {
      if (!end()) return
      await client.exec('unlisten *')
      await empty(toOpenDatabase(client))
      idleClients.push(client)
    },
  }
}

/** Opens another connection to a database on PostgreSQL. */
export const connectTo = (url: string): Promise<OpenDatabase> =>
  openDatabase({ databaseUrl: url, dataDir: '', isMigrating: false }, () => {})

/** Starts the server of this worker, which ends with it, and migrates a database for the others to copy. */
const startServer = async () => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, () => {})
  await database.close()
  return { ...server, template: nameOf(url) }
}

let starting: ReturnType<typeof startServer> | undefined
/** The URLs of databases of this worker's server that no test uses at the moment. */
const idleUrls: string[] = []

/** Opens an empty migrated database on a PostgreSQL server that the tests of this worker share. */
export const createPostgresDatabase = async (): Promise<OpenDatabase & { url: string }> => {
  starting ??= startServer()
  const server = await starting
  const url = idleUrls.pop() ?? (await server.createDatabase(server.template))
  const database = await connectTo(url)
  let isOpen = true
  return {
    ...database,
    url,
    close: async () => {
      if (!isOpen) return
      isOpen = false
      await database.close()
      await server.closeConnections(url)
      const next = await connectTo(url)
      await empty(next)
      await next.close()
      idleUrls.push(url)
    },
  }
}

/** Opens an empty migrated database, of the kind that `KASSA_TEST_DATABASE` names. */
export const createTestDatabase = (): Promise<OpenDatabase> =>
  process.env.KASSA_TEST_DATABASE === 'embedded' ? createEmbeddedDatabase() : createPostgresDatabase()
