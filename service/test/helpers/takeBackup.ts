import { sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'

const rowsOf = (result: unknown): Record<string, string>[] =>
  (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as Record<string, string>[]

/** Copies every table of a database. Returns what puts the copies back, as restoring a backup does. */
export const takeBackup = async (db: Database): Promise<() => Promise<void>> => {
  const run = (text: string) => db.execute(sql.raw(text))
  const tables = rowsOf(await run(`select tablename as name from pg_tables where schemaname = 'public'`))
  const names = tables.map(({ name }) => `"${name}"`)
  await run('drop schema if exists backup cascade')
  await run('create schema backup')
  for (const name of names) await run(`create table backup.${name} as table public.${name}`)
  const columnsOf = async (name: string): Promise<string> =>
    rowsOf(
      await run(`select quote_ident(column_name) as name from information_schema.columns where table_schema = 'public'
        and table_name = '${name.slice(1, -1)}' and is_generated = 'NEVER' order by ordinal_position`),
    )
      .map((column) => column.name)
      .join(', ')
  // Before the transaction: the embedded database has one connection.
  const columns = new Map<string, string>()
  for (const name of names) columns.set(name, await columnsOf(name))
  return () =>
    db.transaction(async (tx) => {
      const write = (text: string) => tx.execute(sql.raw(text))
      await write('set local session_replication_role = replica')
      await write(`truncate ${names.map((name) => `public.${name}`).join(', ')} cascade`)
      for (const name of names) {
        const own = columns.get(name)
        await write(
          `insert into public.${name} (${own}) overriding system value select ${own} from backup.${name}`,
        )
      }
    })
}
