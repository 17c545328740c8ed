import { getTableColumns, getTableName, SQL } from 'drizzle-orm'
import { type PgColumn, PgCustomColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from './database.js'

type Row = Readonly<Record<string, unknown>>
type NewRow<Table extends PgTable> = Table['$inferInsert']
type KeyOf<Table extends PgTable> = keyof NewRow<Table> & string

/** What an insert does with a row that is there already: nothing, or it sets some of its columns. */
export type Conflict = 'nothing' | { target: readonly string[]; set: readonly string[] }

/** A statement over rows of a table: its text, and the properties that it reads of a row. */
type Layout = { table: PgTable; text: string; keys: readonly string[] }

/** A statement whose one text serves any number of rows: all of them are one parameter. */
abstract class RowsQuery extends SQL {
  readonly table: PgTable
  readonly rows: readonly Row[]
  readonly #layout: Layout

  constructor(layout: Layout, rows: readonly Row[]) {
    super([])
    this.table = layout.table
    this.rows = rows
    this.#layout = layout
  }

  override toQuery() {
    return { sql: this.#layout.text, params: [writeJson(this.#layout, this.rows)] }
  }
}

/** Inserts rows. */
export class InsertQuery extends RowsQuery {
  readonly conflict: Conflict | undefined

  constructor({ conflict, ...layout }: Layout & { conflict: Conflict | undefined }, rows: readonly Row[]) {
    super(layout, rows)
    this.conflict = conflict
  }
}

/** How an update finds its rows and changes them. */
export type Change = {
  /** The properties by which a row is found. */
  match: readonly string[]
  set: readonly string[]
  /** A count that each change raises by one. */
  raise: string | undefined
}

/** Changes rows. */
export class UpdateQuery extends RowsQuery {
  readonly change: Change

  constructor({ change, ...layout }: Layout & { change: Change }, rows: readonly Row[]) {
    super(layout, rows)
    this.change = change
  }
}

const findColumn = (table: PgTable, key: string): PgColumn => {
  const column = (getTableColumns(table) as Record<string, PgColumn | undefined>)[key]
  if (!column) throw new Error(`${getTableName(table)} has no column ${key}`)
  return column
}

const toJson = (column: PgColumn, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return column instanceof PgCustomColumn && value !== null ? column.mapToDriverValue(value) : value
}

/** Writes rows as one parameter. A property that is missing is null. */
const writeJson = ({ table, keys }: Layout, rows: readonly Row[]): string => {
  const columns = keys.map((key) => ({ key, column: findColumn(table, key) }))
  const written = rows.map((row) => {
    const values: Record<string, unknown> = {}
    for (const { key, column } of columns) values[column.name] = toJson(column, row[key])
    return values
  })
  return JSON.stringify(written)
}

const quote = (name: string): string => `"${name}"`

/** Writes the texts that name columns: a list of them, and what they are read from. */
const nameColumns = (table: PgTable, keys: readonly string[]) => {
  const columns = keys.map((key) => findColumn(table, key))
  const types = columns.map((column) => `${quote(column.name)} ${column.getSQLType()}`)
  return {
    list: columns.map(({ name }) => quote(name)).join(', '),
    given: `jsonb_to_recordset($1::jsonb) as given (${types.join(', ')})`,
  }
}

const setTo = (table: PgTable, keys: readonly string[], from: string): string =>
  keys
    .map((key) => quote(findColumn(table, key).name))
    .map((name) => `${name} = ${from}.${name}`)
    .join(', ')

const writeConflict = (table: PgTable, conflict: Conflict | undefined): string => {
  if (!conflict) return ''
  if (conflict === 'nothing') return ' on conflict do nothing'
  const { list } = nameColumns(table, conflict.target)
  return ` on conflict (${list}) do update set ${setTo(table, conflict.set, 'excluded')}`
}

/**
 * Creates an insert whose one text serves any number of rows, so that it is built once and planned once.
 *
 * @param keys - The properties that rows have. All other columns get their defaults.
 */
export const createInsert = <Table extends PgTable>(
  table: Table,
  keys: readonly KeyOf<Table>[],
  conflict?: 'nothing' | { target: readonly KeyOf<Table>[]; set: readonly KeyOf<Table>[] },
): ((db: Database | Transaction, rows: readonly NewRow<Table>[]) => Promise<void>) => {
  const { list, given } = nameColumns(table, keys)
  const into = `insert into ${quote(getTableName(table))} (${list})`
  const text = `${into} select ${list} from ${given}${writeConflict(table, conflict)}`
  return async (db, rows) => {
    if (rows.length)
      await db.execute(new InsertQuery({ table, text, keys, conflict }, rows as readonly Row[]))
  }
}

/**
 * Creates an update whose one text serves any number of rows.
 *
 * @param terms.match - The properties by which a row is found.
 * @param terms.raise - A count that each change raises by one, such as a revision that it is found by.
 * @returns Changes rows, each another one, and returns how many were found.
 */
export const createUpdate = <Table extends PgTable>(
  table: Table,
  {
    match,
    set,
    raise,
  }: { match: readonly KeyOf<Table>[]; set: readonly KeyOf<Table>[]; raise?: KeyOf<Table> },
): ((db: Database | Transaction, rows: readonly Partial<NewRow<Table>>[]) => Promise<number>) => {
  const keys = [...match, ...set]
  const name = quote(getTableName(table))
  const nameOf = (key: string): string => quote(findColumn(table, key).name)
  const raised = raise === undefined ? '' : `, ${nameOf(raise)} = ${name}.${nameOf(raise)} + 1`
  const isFound = match.map((key) => `${name}.${nameOf(key)} = given.${nameOf(key)}`).join(' and ')
  const text = `update ${name} set ${setTo(table, set, 'given')}${raised}
    from ${nameColumns(table, keys).given} where ${isFound} returning ${name}.${nameOf(keys[0] ?? '')}`
  return async (db, rows) => {
    if (!rows.length) return 0
    const layout = { table, text, keys, change: { match, set, raise } }
    const found = (await db.execute(new UpdateQuery(layout, rows as readonly Row[]))) as unknown
    return (found as { rows: unknown[] }).rows.length
  }
}
