import { getTableColumns, getTableName, SQL, sql, type Table } from 'drizzle-orm'
import { InsertQuery, UpdateQuery } from '../../../service/src/base/db/writeRows.js'
import { compileCondition, compileExpression } from './expression.js'
import { comparable } from './operations.js'
import type { Row, Scope } from './parser.js'
import { Select } from './select.js'
import { type Access, compileFields, type Fields, type Run, Statement } from './statement.js'
import { completeRow, idOf } from './storage.js'

/** Returns a row with new values, which may be expressions over the present one. */
const changeRow = (row: Row, set: Row, scope: Scope): Row => {
  const changed = { ...row }
  for (const [key, value] of Object.entries(set)) {
    if (value !== undefined) changed[key] = value instanceof SQL ? compileExpression(value)(scope) : value
  }
  return changed
}

class Update extends Statement {
  private change: Row = {}
  private condition: SQL | undefined
  private fields: Fields | undefined

  private readonly table: Table

  constructor(run: Run, table: Table) {
    super(run)
    this.table = table
  }

  set(change: Row): this {
    this.change = change
    return this
  }

  where(condition: SQL | undefined): this {
    this.condition = condition
    return this
  }

  returning(fields?: Fields): this {
    this.fields = fields
    return this
  }

  evaluate(access: Access): unknown {
    const { table } = this
    const name = getTableName(table)
    const meets = compileCondition(this.condition)
    const found = access.view(table).filter((row) => meets(this.scopeOf({ [name]: row })))
    for (const row of found) access.lock(table, idOf(table, row))
    const read = this.fields && compileFields(this.fields)
    return found.map((row) => {
      const changed = changeRow(row, this.change, this.scopeOf({ [name]: row }))
      access.write(table, changed)
      return read ? read(this.scopeOf({ [name]: changed })) : changed
    })
  }
}

type Conflict = { set: Row; setWhere?: SQL | undefined }

class Insert extends Statement {
  private given: readonly Row[] = []
  private conflict: Conflict | 'nothing' | undefined

  private readonly table: Table

  constructor(run: Run, table: Table) {
    super(run)
    this.table = table
  }

  values(given: Row | readonly Row[]): this {
    this.given = [given].flat() as Row[]
    return this
  }

  onConflictDoUpdate(conflict: Conflict): this {
    this.conflict = conflict
    return this
  }

  onConflictDoNothing(): this {
    this.conflict = 'nothing'
    return this
  }

  returning(): this {
    return this
  }

  evaluate(access: Access): unknown {
    const { table, conflict } = this
    const rows = this.given.map((given) => completeRow(table, given, access))
    for (const row of rows) access.lock(table, idOf(table, row))
    const known = new Map(access.view(table).map((row) => [idOf(table, row), row]))
    return rows.flatMap((row) => {
      const present = known.get(idOf(table, row))
      if (present && conflict === 'nothing') return []
      if (present && !conflict) throw new Error(`${getTableName(table)} has ${idOf(table, row)} already`)
      const written = present && conflict ? this.resolve(present, row, conflict as Conflict) : row
      if (!written) return []
      access.write(table, written)
      return [written]
    })
  }

  private resolve(present: Row, row: Row, { set, setWhere }: Conflict): Row | undefined {
    const names = Object.entries(getTableColumns(this.table)).map(([key, { name }]) => [name, row[key]])
    const scope = this.scopeOf({ [getTableName(this.table)]: present, excluded: Object.fromEntries(names) })
    return compileCondition(setWhere)(scope) ? changeRow(present, set, scope) : undefined
  }
}

/** Changes the rows that have the values by which they are found. */
class UpdateRows extends Statement {
  private readonly query: UpdateQuery

  constructor(run: Run, query: UpdateQuery) {
    super(run)
    this.query = query
  }

  evaluate(access: Access): { rows: Row[] } {
    const { table, rows, change } = this.query
    const present = access.view(table)
    const found = rows.flatMap((given) => {
      const row = present.find((each) =>
        change.match.every((key) => comparable(each[key]) === comparable(given[key])),
      )
      return row ? [{ given, row }] : []
    })
    for (const { row } of found) access.lock(table, idOf(table, row))
    for (const { given, row } of found) {
      const set = Object.fromEntries(change.set.map((key) => [key, given[key]]))
      const raised = change.raise === undefined ? {} : { [change.raise]: Number(row[change.raise]) + 1 }
      access.write(table, { ...row, ...set, ...raised })
    }
    return { rows: found.map(({ row }) => row) }
  }
}

/** Runs the statements of the service that have one text for any number of rows. */
const execute = (run: Run, query: unknown): Statement => {
  if (query instanceof UpdateQuery) return new UpdateRows(run, query)
  if (!(query instanceof InsertQuery)) throw new Error('The database of the simulation cannot run a text.')
  const { table, rows, conflict } = query
  const insert = new Insert(run, table).values(rows)
  if (conflict === 'nothing') return insert.onConflictDoNothing()
  if (!conflict) return insert
  const columns = getTableColumns(table)
  const set = conflict.set.map((key) => [key, sql.raw(`excluded.${columns[key]?.name}`)])
  return insert.onConflictDoUpdate({ set: Object.fromEntries(set) })
}

/** Creates the statements of drizzle's query builder that the service uses for orders and money. */
export const createStatements = (run: Run) => ({
  select: (fields?: Fields) => new Select(run, fields, false),
  selectDistinct: (fields?: Fields) => new Select(run, fields, true),
  insert: (table: Table) => new Insert(run, table),
  update: (table: Table) => new Update(run, table),
  execute: (query: unknown) => execute(run, query),
  $count: async (table: Table, condition?: SQL): Promise<number> =>
    ((await new Select(run, undefined, false).from(table).where(condition)) as unknown[]).length,
})
