import { fileURLToPath } from 'node:url'
import type { OpenDatabase } from './openedDatabase.js'
import { openPglite } from './openPglite.js'
import { openPostgres } from './openPostgres.js'

/**
 * Opens the deployment's database, PostgreSQL or its embedded twin, and migrates its schema, except
 * PostgreSQL's if `isMigrating` is false.
 *
 * @throws Error if the embedded database's folder is in use by another process, or the schema is of an older
 * build.
 */
export const openDatabase = (
  config: { databaseUrl: string | undefined; dataDir: string; isMigrating?: boolean },
  onError: (error: unknown) => void,
): Promise<OpenDatabase> =>
  config.databaseUrl
    ? openPostgres(config.databaseUrl, onError, config.isMigrating)
    : openPglite(config.dataDir)

/** The folder of migrations, next to this file in both the source and the build. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
