import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { connectTo, createEmbeddedDatabase, createPostgresDatabase } from './createTestDatabase.js'

/** A kind of database that the service runs on, for tests that must pass on each. */
export type DatabaseKind = {
  name: 'PGlite' | 'PostgreSQL'
  /** Opens an empty, migrated database or, with a URL, another connection to an open one. */
  open(url?: string): Promise<OpenDatabase & { url?: string }>
}

/** Both kinds. */
export const databaseKinds: readonly DatabaseKind[] = [
  { name: 'PGlite', open: createEmbeddedDatabase },
  { name: 'PostgreSQL', open: (url) => (url === undefined ? createPostgresDatabase() : connectTo(url)) },
]
