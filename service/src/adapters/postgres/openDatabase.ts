import type { Config } from '#base/config/config.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
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
  config: Pick<Config, 'databaseUrl' | 'dataDir'> &
    Partial<Pick<Config, 'databaseDirectUrl' | 'isMigrating'>>,
  onError: (error: unknown) => void,
): Promise<OpenDatabase> =>
  config.databaseUrl
    ? openPostgres(config.databaseUrl, onError, {
        isMigrating: config.isMigrating,
        directUrl: config.databaseDirectUrl,
      })
    : openPglite(config.dataDir)
