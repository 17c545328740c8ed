import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { openDatabase } from '../../src/postgres/openDatabase.js'
import { nameOf, startPostgres } from './startPostgres.js'

/** Opens another connection to a database. */
export const connectTo = (url: string): Promise<OpenDatabase> =>
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
export const createPostgresDatabase = async (): Promise<OpenDatabase & { url: string }> => {
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
