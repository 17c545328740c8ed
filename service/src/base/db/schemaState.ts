import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { OpenDatabase } from './openedDatabase.js'

/** The folder of migrations, next to this file in both the source and the build. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

type Journal = { entries: { tag: string; when: number }[] }

/**
 * How a database's migrations compare with this build's: `behind` lacks some, `ahead` has some that this
 * build lacks.
 */
export type SchemaState = 'current' | 'behind' | 'ahead'

let known: number | undefined
const lastOfBuild = (): number => {
  if (known !== undefined) return known
  const journal: Journal = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8'))
  known = Math.max(...journal.entries.map(({ when }) => when))
  return known
}

/** Compares a database with this build, by the last migration of each. */
export const readSchemaState = async (executeSql: OpenDatabase['watchSql']): Promise<SchemaState> => {
  const { rows: tables } = await executeSql(`select to_regclass('drizzle.__drizzle_migrations') as found`)
  if (!(tables as { found: unknown }[])[0]?.found) return 'behind'
  const { rows } = await executeSql('select max(created_at) as last from drizzle.__drizzle_migrations')
  const last = Number((rows as { last: unknown }[])[0]?.last ?? 0)
  const own = lastOfBuild()
  return last === own ? 'current' : last < own ? 'behind' : 'ahead'
}

/**
 * Refuses a database that lacks migrations of this build, unless they are about to be applied. A database
 * that is ahead is accepted, because migrations only add.
 *
 * @throws Error that says in one line what to do.
 */
export const assertSchemaState = (state: SchemaState, isMigrating: boolean): void => {
  if (state === 'behind' && !isMigrating) {
    throw new Error(
      'the database lacks tables of this build: run `kassa-service migrate`, or set KASSA_MIGRATE=1',
    )
  }
}
