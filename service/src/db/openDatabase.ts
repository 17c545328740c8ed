import type { OpenDatabase } from './openedDatabase.js'
import { openPglite } from './openPglite.js'
import { openPostgres } from './openPostgres.js'

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
