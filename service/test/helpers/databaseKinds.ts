import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { openDatabase } from '../../src/postgres/openDatabase.js'
import { createTestDatabase } from './createTestDatabase.js'
import { nameOf, startPostgres } from './startPostgres.js'

/** Opens another connection to a database. */
const connectTo = (url: string): Promise<OpenDatabase> =>
  openDatabase({ databaseUrl: url, dataDir: '' }, () => {})

/** Starts the server of this worker, which ends with it, and migrates a database for the others to copy. */
const startServer = async () => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const database = await connectTo(url)
  await database.close()
  return { ...server, template: nameOf(url) }
}

let starting: ReturnType<typeof startServer> | undefined

/** Opens a new migrated database on PostgreSQL. Closing it drops it. */
const createPostgresDatabase = async (): Promise<OpenDatabase & { url: string }> => {
  starting ??= startServer()
  const server = await starting
  const url = await server.createDatabase(server.template)
  const database = await connectTo(url)
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      // A test's other connections may still be open.
      await server.dropDatabase(url).catch(() => {})
    },
  }
}

/** A kind of database that the service runs on, for tests that must pass on each. */
export type DatabaseKind = {
  name: 'PGlite' | 'PostgreSQL'
  /** Opens a new, migrated database or, with a URL, another connection to an open one. */
  open(url?: string): Promise<OpenDatabase & { url?: string }>
}

/** Both kinds. */
export const databaseKinds: readonly DatabaseKind[] = [
  { name: 'PGlite', open: createTestDatabase },
  { name: 'PostgreSQL', open: (url) => (url === undefined ? createPostgresDatabase() : connectTo(url)) },
]
