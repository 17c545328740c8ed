import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { migrationsFolder, readSchemaState } from '../../src/db/schemaState.js'
import * as tables from '../../src/db/tables/index.js'
import { dumpSchema } from '../../src/postgres/dumpSchema.js'
import { openDatabase } from '../../src/postgres/openDatabase.js'
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

test('behavior: a migration never changes, because databases have run it', async () => {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  const hashOf = async (file: string) =>
    createHash('sha256')
      .update(await readFile(`${migrationsFolder}/${file}`, 'utf8'))
      .digest('hex')
  // A new migration adds a line here; no existing line changes.
  expect(
    Object.fromEntries(await Promise.all(files.map(async (file) => [file, await hashOf(file)]))),
  ).toEqual({
    '0000_init.sql': 'd846020e6d660db5dd8583d64f6cb0aa97eac4f237f63646c9bd221d01024b2a',
    '0001_royalties.sql': '2b88ae7fb2a4fd57e7f1a883a4795c1d9a1d136af3800fcc9fcb89f690a920f4',
    '0002_refund_release.sql': 'c94521567428f9e52f3739c8cc0ccc3d29e81c8e90b2413ad82090222c319448',
    '0003_collection_requires.sql': '6041132c7ab5928e2d18580bc8c626b7ad326bef9474a4a18d7aa427cd023c96',
    '0004_files_in_ranges.sql': '68066234cbb0d5f16df850213197082ec7366cbdb41419b53311b39a20bde103',
    '0005_unattributed_transfers.sql': 'b24c90c5ef452a2f32fb465cafdb44e7d46ac078e3f7c55f0a3a2a685e445dbc',
    '0006_payment_currencies.sql': '7668034c9998b3f210c231150cb4b9aa0b24de9dd8f975ec16a9c5ac465cbbd4',
    '0007_refund_caps.sql': 'c397cd7d137a38509171ec6e6160e635df40a783cf8e5baf5b419a13e969b2b2',
    '0008_template_changes.sql': 'a257361a6e5faa550f92a7aa8480fa023f8136a6b484041f70a68f615bd0ec15',
    '0009_burned_tokens.sql': 'f950cd81a74d36242a7f4231004da03bc6af702c0f8af6d2594aeb04414ece59',
    '0010_jobs.sql': '7176dfdc33d242e92bd70407ee69b2666063701aa00349375840f8b43228d2f7',
    '0012_solana_wallets.sql': '8afca6ecd0dfbf574ddd310b4755beb2d7818dfde647eaf0afe940fd6969520a',
    '0013_compressed_tokens.sql': 'c9add3e6be08b8ebf2f8a1df17d9cb685bab1a14f3c8a92cf3f95b68c78dd183',
    '0014_indexes.sql': '2334deb2a4eeb50cf263647b8ee426dc9d37ce568266f41eb1d6b800b133efe9',
    '0015_late_payments.sql': '57a2326176a0c79ae96b8e37006d531d707c3c24fcf422ca781acd59347b2c02',
    '0016_reserved_tokens.sql': 'd55446054c85ef2dc55e9732947e88c0974f1b17f728ccc500066eaf057759bb',
    '0017_open_hints.sql': '6284d812b3d941abb71f16ed436085d84d0561c236da61ab220ea2568dd44aa0',
    '0018_ledger_totals.sql': 'a8e56ff8819db1230945ea9e7d44588d5cdc717a5945142ce0d34ae7af859742',
    '0019_retention.sql': '5149383c8ebe1291b6efd585630432cad15dc7448641ee66806ae807f8ba85b0',
    '0020_waiting_refunds.sql': '90d0e2a806e3931f1937294005914d9c1587ea2c475283b00eb13a7f59893bd0',
    '0021_shared_calls.sql': 'fb0f6280ca918149c50a746be875e3d56641ab4bc0c7b94988f02bd39aad3965',
    '0022_leases.sql': 'ba9105d620016d79cc33d3c5c647eacd85ce3551ce3f9dfd7f460f611b6dc370',
    '0023_merchant_refunds.sql': '22550295815f5ab462ab560bc8c8c355ba6225ebd56c3ce9ed2e573f02071e99',
    '0024_sale_rules.sql': '6d8fac10b074e645a1e2534eb145c54c09a07ade17400a28c6dac83e3144ad7c',
    '0025_console.sql': 'f7a4dcef543ed03911bce730b3a26e3049ade595814b222ea2353f8cf89d4679',
    '0026_developers.sql': '6eb30a8a01a7c187ac25001baf45e5aad9d7eafbd1134c8fb090bb9954b02b5a',
    '0011_solana_transactions.sql': '43b3f6f5e4cc64092ff72108bdaa4f81f056a1f8aa5ab0fff2c81d0aa51b58d9',
  })
})

test('behavior: the jobs of an earlier build are taken over', async () => {
  const earlier = await createTestDatabase()
  await earlier.executeSql(`
    drop table jobs;
    create schema pgboss;
    create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
    create table pgboss.job (id uuid default gen_random_uuid(), name text, data jsonb, priority int,
      start_after timestamptz, created_on timestamptz default now(), retry_count int, state pgboss.job_state);
    insert into pgboss.job (name, data, priority, start_after, retry_count, state) values
      ('orders.deliver', '{"orderId":"waits"}', 0, '2030-01-01Z', 0, 'created'),
      ('orders.deliver', '{"orderId":"runs"}', 1, '2026-01-01Z', 2, 'active'),
      ('orders.deliver', '{"orderId":"done"}', 0, '2026-01-01Z', 0, 'completed')`)
  await earlier.executeSql(await readFile(`${migrationsFolder}/0010_jobs.sql`, 'utf8'))
  const { rows } = await earlier.executeSql(
    `select data ->> 'orderId' as id, priority, starts, start_after > now() as later from jobs order by 1`,
  )
  expect(rows).toEqual([
    { id: 'runs', priority: 1, starts: 2, later: false },
    { id: 'waits', priority: 0, starts: 0, later: true },
  ])
  await earlier.close()
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
