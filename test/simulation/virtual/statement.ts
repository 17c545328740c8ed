import { type Column, getTableName, type SQL, Table } from 'drizzle-orm'
import { compileExpression } from './expression.js'
import { placeholders, type Row, type Scope } from './parser.js'

/** What a statement may do with the rows of the database. It throws what it has to wait for. */
export type Access = {
  nowMs: number
  view(table: Table): Row[]
  lock(table: Table, id: string): void
  write(table: Table, row: Row): void
  /** Returns the next number of a column that the database numbers. */
  nextNumber(): bigint
}

/** What a statement does, and whether it neither changes nor locks a row. It may run again after it has waited. */
export type Work = { evaluate(access: Access): unknown; isReading: boolean }

/** Runs a statement. */
export type Run = (work: Work) => Promise<unknown>

/** A statement that runs when it is awaited. */
export abstract class Statement implements PromiseLike<unknown>, Work {
  private readonly run: Run
  private placed: Row = {}

  constructor(run: Run) {
    this.run = run
  }

  readonly isReading: boolean = false

  /** Prepares the statement, which then runs with other values for its placeholders each time. */
  prepare(_name: string): { execute(given: Row): Promise<unknown> } {
    return {
      execute: (given) => {
        const statement: Statement = Object.create(this)
        statement.placed = given
        return statement.then((rows) => rows)
      },
    }
  }

  /** Returns what expressions of the statement read: rows of tables, by their names, and the values of placeholders. */
  protected scopeOf(rows: Scope): Scope {
    return { ...rows, [placeholders]: this.placed }
  }

  abstract evaluate(access: Access): unknown

  // biome-ignore lint/suspicious/noThenProperty: drizzle's statements are awaited like promises
  then<One, Other>(
    onDone?: ((value: unknown) => One | PromiseLike<One>) | null,
    onFailed?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.run(this).then(onDone, onFailed) as Promise<One | Other>
  }

  catch<Other>(onFailed: (reason: unknown) => Other): Promise<unknown> {
    return this.then(undefined, onFailed)
  }
}

/** What a statement returns, by its names. */
export type Fields = Readonly<Record<string, Column | Table | SQL>>

/** Compiles what a statement returns. */
export const compileFields = (fields: Fields): ((scope: Scope) => Row) => {
  const reads = Object.entries(fields).map(([key, field]) => {
    const name = field instanceof Table ? getTableName(field) : ''
    const read = field instanceof Table ? (scope: Scope) => scope[name] : compileExpression(field)
    return { key, read }
  })
  return (scope) => {
    const row: Row = {}
    for (const { key, read } of reads) row[key] = read(scope)
    return row
  }
}
