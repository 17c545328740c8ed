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
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { migrationsFolder } from '../../src/db/schemaState.js'
import { openPglite, toOpenDatabase } from '../../src/postgres/openPglite.js'

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

/**
 * Fills a data folder with a new migrated database, as `kassa-service migrate` does, only sooner.
 */
export const fillDataDir = async (dataDir: string): Promise<void> => {
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

/** Opens a new migrated database in memory that no other test gets, for tests that change its tables. */
export const createOwnDatabase = async (): Promise<OpenDatabase> =>
  openPglite(undefined, await openTemplate())

/** Databases of this worker that no test uses at the moment. Opening one takes seconds, and emptying one does not. */
const idle: PGlite[] = []

/** Deletes every row. */
const empty = async (client: PGlite): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const looks = rows.map(({ name }) => `(select '${name}' as name where exists (select 1 from ${name}))`)
  const filled = await client.query<{ name: string }>(looks.join(' union all '))
  const names = filled.rows.map(({ name }) => name)
  if (names.length > 0) await client.exec(`truncate ${names.join(', ')} restart identity cascade`)
}

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
export const createTestDatabase = async (): Promise<OpenDatabase> => {
  const client = idle.pop() ?? (await openPglite(undefined, await openTemplate())).client
  const { lent, end } = lend(client)
  return {
    ...toOpenDatabase(lent),
    close: async () => {
      if (!end()) return
      await client.exec('unlisten *')
      await empty(client)
      idle.push(client)
    },
  }
}
