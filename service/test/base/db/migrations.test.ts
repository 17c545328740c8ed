import { readdir, readFile } from 'node:fs/promises'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dumpSchema } from '#adapters/postgres/dumpSchema.js'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { migrationsFolder, readSchemaState } from '#base/db/schemaState.js'
import * as tables from '#base/db/tables/index.js'
import { createEmbeddedDatabase } from '../../helpers/createTestDatabase.js'
import { startPostgres } from '../../helpers/startPostgres.js'

let database: OpenDatabase
let dump: string
beforeAll(async () => {
  database = await createEmbeddedDatabase()
  dump = await dumpSchema(database.db)
})
afterAll(() => database.close())

test('default', async () => {
  await expect(dump).toMatchFileSnapshot('../../../src/base/db/schema.sql')
})

test('behavior: the migrations make the tables that the code describes', () => {
  const described = Object.values(tables).filter((table) => is(table, PgTable))
  for (const table of described) {
    const { name, columns, indexes, foreignKeys } = getTableConfig(table)
    const [, body = ''] =
      new RegExp(`create (?:unlogged )?table ${name} \\(\\n([^;]*)\\n\\);`).exec(dump) ?? []
    const made = body.split(',\n').map((line) => line.trim())
    const wanted = columns.map((column) => {
      const type = column.getSQLType().replace('varchar', 'character varying')
      return `${column.name} ${type}${column.notNull ? ' not null' : ''}`
    })
    const plain = made.map((line) =>
      line.replace(/ default .*/, '').replace(/timestamp\((\d)\)/, 'timestamp ($1)'),
    )
    expect(plain, name).toEqual(wanted)
    for (const { config } of indexes) expect(dump).toContain(`INDEX ${config.name} ON public.${name}`)
    for (const key of foreignKeys)
      expect(dump).toContain(`alter table ${name} add constraint ${key.getName()} `)
  }
  expect(dump.match(/^create (unlogged )?table/gm)).toHaveLength(described.length)
})

test('behavior: every migration file is in the journal', async () => {
  const journal: { entries: { tag: string }[] } = JSON.parse(
    await readFile(`${migrationsFolder}/meta/_journal.json`, 'utf8'),
  )
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  expect(files.sort()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`))
})

/**
 * Statements that would break processes of the previous build: what they remove, or newly require. A dropped
 * constraint only allows more.
 */
const takings = {
  removal: /\b(drop(?!\s+constraint\b)|truncate|delete\s+from|rename)\b/i,
  'another type': /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i,
  'set not null': /\bset\s+not\s+null\b/i,
  'a new column that must be written': /\badd\s+column\b(?=.*\bnot\s+null\b)(?!.*\bdefault\b)/is,
}

const findTakings = (sql: string): string[] =>
  sql
    .replace(/--.*$/gm, '')
    .split(';')
    .flatMap((statement) => Object.entries(takings).filter(([, pattern]) => pattern.test(statement)))
    .map(([name]) => name)

test('behavior: migrations only add: processes of the previous build keep serving', async () => {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    expect({ file, takes: findTakings(await readFile(`${migrationsFolder}/${file}`, 'utf8')) }).toEqual({
      file,
      takes: [],
    })
    expect(file).not.toMatch(/down/)
  }
})

test.each([
  ['removal', 'drop table orders'],
  ['removal', 'ALTER TABLE "orders" DROP COLUMN "a"'],
  ['removal', 'ALTER TABLE "orders" RENAME COLUMN "a" TO "b"'],
  ['another type', 'ALTER TABLE "orders" ALTER COLUMN "a" SET DATA TYPE bigint'],
  ['another type', 'alter table orders\n  alter column a type bigint'],
  ['set not null', 'ALTER TABLE "orders" ALTER COLUMN "a" SET NOT NULL'],
  ['a new column that must be written', 'ALTER TABLE "orders" ADD COLUMN "a" text NOT NULL'],
])('error: a migration has %s: %s', (taking, sql) => {
  const harmless = 'create table a (b text not null); alter table a add column type text'
  expect(findTakings(`${harmless};\n${sql};`)).toEqual([taking])
})

test('behavior: a database that lacks tables is migrated only on request', async () => {
  const server = await startPostgres()
  const databaseUrl = await server.createDatabase()
  const open = (isMigrating: boolean) => openDatabase({ databaseUrl, dataDir: '', isMigrating }, () => {})
  await expect(open(false)).rejects.toThrow('run `kassa-service migrate`, or set KASSA_MIGRATE=1')
  const migrated = await open(true)
  expect(await readSchemaState(migrated.executeSql)).toBe('current')
  await migrated.close()
  const looked = await open(false)
  await looked.executeSql(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
  )
  expect(await readSchemaState(looked.executeSql)).toBe('ahead')
  await looked.close()
  // A process of the previous build that is restarted during a rollout.
  for (const isMigrating of [true, false]) {
    const older = await open(isMigrating)
    expect(await readSchemaState(older.watchSql)).toBe('ahead')
    await older.close()
  }
  await server.stop()
})

test('behavior: PostgreSQL gets the same tables, also from two processes at once', async () => {
  const server = await startPostgres()
  const url = await server.createDatabase()
  const open = () => openDatabase({ databaseUrl: url, dataDir: '' }, () => {})
  const [first, second] = await Promise.all([open(), open()])
  const plain = (text: string) => text.replaceAll(/\bNULLS (FIRST|LAST)\b/g, '')
  expect(plain(await dumpSchema(first.db))).toBe(plain(dump))
  await Promise.all([first.close(), second.close()])
  await server.stop()
})
