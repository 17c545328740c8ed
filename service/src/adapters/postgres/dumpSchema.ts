import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'

const lines = async (db: Database, query: SQL): Promise<string[]> => {
  const result = await db.execute(query)
  const list: unknown = result && typeof result === 'object' && 'rows' in result ? result.rows : []
  return (Array.isArray(list) ? list : []).map((row: { line: string }) => `${row.line};`)
}

/**
 * Writes the schema that the migrations give an empty database, as SQL: the one page to read about the
 * tables.
 */
export const dumpSchema = async (db: Database): Promise<string> => {
  const tables = await lines(
    db,
    sql`select format(E'create %stable %I (\n%s\n)',
          case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname, string_agg(format('  %I %s%s%s', a.attname,
          format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
          coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\n' order by a.attnum)) as line
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where a.attnum > 0 and not a.attisdropped group by c.relname, c.relpersistence order by c.relname`,
  )
  const constraints = await lines(
    db,
    sql`select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
        order by conrelid::regclass::text, contype = 'f', conname`,
  )
  const indexes = await lines(
    db,
    sql`select i.indexdef as line from pg_indexes i where i.schemaname = 'public'
        and not exists (select 1 from pg_constraint k where k.conname = i.indexname)
        order by i.tablename, i.indexname`,
  )
  const storage = await lines(
    db,
    sql`select format('alter table %s alter column %I set storage external', a.attrelid::regclass, a.attname) as line
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        join pg_type t on t.oid = a.atttypid
        where a.attnum > 0 and not a.attisdropped and a.attstorage = 'e' and t.typstorage <> 'e'
        order by 1`,
  )
  const functions = await lines(
    db,
    sql`select pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  const triggers = await lines(
    db,
    sql`select pg_get_triggerdef(oid) as line from pg_trigger where not tgisinternal
        order by tgrelid::regclass::text, tgname`,
  )
  return [...tables, ...constraints, ...storage, ...indexes, ...functions, ...triggers]
    .join('\n')
    .concat('\n')
}
