import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { withCommitTasks } from '#base/db/commitTasks.js'
import { createNotices } from '#base/db/notices.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { migrationsFolder } from '#base/db/schemaState.js'
import { lockDataDir } from './lockDataDir.js'

/** PGlite's own byte conversion takes a second per mebibyte, and blocks everything else meanwhile. */
const bytes = {
  serializers: { [types.BYTEA]: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}` },
  parsers: { [types.BYTEA]: (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex')) },
}

/** Returns what the service uses of an embedded database that is open and migrated. */
export const toOpenDatabase = (client: PGlite): OpenDatabase => {
  const executeSql: OpenDatabase['executeSql'] = async (text, values) => {
    if (values?.length) return client.query(text, values)
    const results = await client.exec(text)
    return { rows: results.at(-1)?.rows ?? [] }
  }
  return {
    db: withCommitTasks(drizzle(client)),
    pool: undefined,
    executeSql,
    watchSql: executeSql,
    // There is one process at a time.
    notices: createNotices('', undefined),
    close: () => client.close(),
  }
}

/**
 * Opens the embedded database.
 *
 * @param dataDir - Its folder, or `undefined` to keep everything in memory.
 * @param copyOf - The contents to start with, as the database dumped them.
 */
export const openPglite = async (
  dataDir: string | undefined,
  copyOf?: Blob,
): Promise<OpenDatabase & { client: PGlite }> => {
  const unlock = dataDir === undefined ? () => {} : await lockDataDir(dataDir)
  try {
    const client = await PGlite.create({
      ...bytes,
      ...(dataDir !== undefined && { dataDir: join(dataDir, 'database') }),
      ...(copyOf && { loadDataDir: copyOf }),
    })
    await migrate(drizzle(client), { migrationsFolder })
    return {
      ...toOpenDatabase(client),
      client,
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
