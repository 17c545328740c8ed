import { readdir, readFile } from 'node:fs/promises'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dumpSchema } from '../../src/db/dumpSchema.js'
import { migrationsFolder } from '../../src/db/migrationsFolder.js'
import { openDatabase } from '../../src/db/openDatabase.js'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { readSchemaState } from '../../src/db/schemaState.js'
import * as tables from '../../src/db/tables/index.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'
import { startPostgres } from '../helpers/startPostgres.js'

let database: OpenDatabase
let dump: string
beforeAll(async () => {
  database = await createTestDatabase()
  dump = await dumpSchema(database.db)
})
afterAll(() => database.close())

test('default', async () => {
  await expect(dump).toMatchFileSnapshot('../../src/db/schema.sql')
})

test('behavior: the migrations make the tables that the code describes', () => {
  const described = Object.values(tables).filter((table) => is(table, PgTable))
  for (const table of described) {
    const { name, columns, indexes, foreignKeys } = getTableConfig(table)
    const [, body = ''] = new RegExp(`create table ${name} \\(\\n([^;]*)\\n\\);`).exec(dump) ?? []
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
  expect(dump.match(/create table/g)).toHaveLength(described.length)
})

test('behavior: every migration file is in the journal', async () => {
  const journal: { entries: { tag: string }[] } = JSON.parse(
    await readFile(`${migrationsFolder}/meta/_journal.json`, 'utf8'),
  )
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  expect(files.sort()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`))
})

test('behavior: migrations only add: processes of the build before serve on meanwhile', async () => {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const text = (await readFile(`${migrationsFolder}/${file}`, 'utf8')).replace(/^--.*$/gm, '')
    expect({ file, takes: text.match(/\b(drop|truncate|delete from|rename)\b/gi) }).toEqual({
      file,
      takes: null,
    })
    expect(file).not.toMatch(/down/)
  }
})

test('behavior: a database that lacks tables is brought up to date only when that is asked for', async () => {
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
  for (const isMigrating of [true, false])
    await expect(open(isMigrating)).rejects.toThrow('the database is newer than this build')
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
