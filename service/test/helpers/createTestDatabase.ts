import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { migrationsFolder } from '../../src/db/schemaState.js'
import { openPglite } from '../../src/postgres/openPglite.js'

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

/** Opens a new migrated database in memory, of the kind that the service embeds. */
export const createTestDatabase = async (): Promise<OpenDatabase> =>
  openPglite(undefined, await openTemplate())
