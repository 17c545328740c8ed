import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { openDatabase } from '../../src/postgres/openDatabase.js'
import { createTestDatabase } from './createTestDatabase.js'
import { startPostgres } from './startPostgres.js'

/** A kind of database that the service runs on, for tests that must pass on each. */
export type DatabaseKind = {
  name: 'PGlite' | 'PostgreSQL'
  start(): Promise<void>
  /** Opens a new, migrated database or, with a URL, another connection to an open one. */
  open(url?: string): Promise<OpenDatabase & { url?: string }>
  stop(): Promise<void>
}

const createPostgresKind = (): DatabaseKind => {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  return {
    name: 'PostgreSQL',
    start: async () => {
      server = await startPostgres()
    },
    open: async (known) => {
      const url = known ?? (await server?.createDatabase()) ?? ''
      return { ...(await openDatabase({ databaseUrl: url, dataDir: '' }, () => {})), url }
    },
    stop: async () => server?.stop(),
  }
}

/** Both kinds. */
export const databaseKinds = (): DatabaseKind[] => [
  { name: 'PGlite', start: async () => {}, open: createTestDatabase, stop: async () => {} },
  createPostgresKind(),
]
