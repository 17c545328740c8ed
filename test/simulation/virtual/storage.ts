import { type Column, getTableColumns, getTableName, SQL, type Table } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Row } from './parser.js'

/** A change of one row that a transaction has committed. */
export type RowChange = { table: string; before: Row | undefined; after: Row }

/** What ended a statement. PostgreSQL reports the same, and the service tries again. */
class DeadlockError extends Error {}

/** A statement of a transaction that is over, because its process has ended. */
export class RolledBackError extends Error {}

const primaryKeys = new WeakMap<Table, string[]>()

/** Returns the properties of a row that are its table's primary key. */
const primaryKeyOf = (table: Table): string[] => {
  const known = primaryKeys.get(table)
  if (known) return known
  const config = getTableConfig(table as PgTable)
  const own = config.columns.filter((column) => column.primary)
  const columns = own.length ? own : (config.primaryKeys[0]?.columns ?? [])
  const all = Object.entries(getTableColumns(table))
  const names = columns.map(({ name }) => all.find(([, column]) => column.name === name)?.[0] ?? '')
  primaryKeys.set(table, names)
  return names
}

/** Returns the primary key of a row as one text. */
export const idOf = (table: Table, row: Row): string =>
  primaryKeyOf(table)
    .map((name) => String(row[name]))
    .join('|')

const columns = new WeakMap<Table, [string, Column][]>()

type Presets = { nowMs: number; nextNumber(): bigint }

/** Returns a new row with the defaults of its table for what was not given. */
export const completeRow = (table: Table, given: Row, { nowMs, nextNumber }: Presets): Row => {
  const known = columns.get(table) ?? Object.entries(getTableColumns(table))
  columns.set(table, known)
  const row: Row = {}
  for (const [key, column] of known) {
    const preset = column.default instanceof SQL ? new Date(nowMs) : column.default
    row[key] = given[key] ?? preset ?? (column.generatedIdentity ? nextNumber() : null)
  }
  return row
}

/** An open transaction: its uncommitted rows and its locks. */
export class OpenTransaction {
  readonly changes = new Map<string, Map<string, Row>>()
  readonly locks = new Set<string>()
  waitsFor: OpenTransaction | undefined
  isOver = false
  private waiting: (() => void)[] = []

  awaitEnd(): Promise<void> {
    return this.isOver ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve))
  }

  end(): void {
    this.isOver = true
    for (const resolve of this.waiting) resolve()
  }
}

/**
 * The tables of the simulated database, with transactions at PostgreSQL's level READ COMMITTED: a statement reads what
 * is committed when it runs, and waits for the rows that another transaction has locked.
 */
export class Storage {
  private readonly tables = new Map<string, Map<string, Row>>()
  private lastNumber = 0n
  private readonly lockedBy = new Map<string, OpenTransaction>()

  private readonly onCommit: (changes: RowChange[]) => void

  constructor(onCommit: (changes: RowChange[]) => void) {
    this.onCommit = onCommit
  }

  /** Returns the next number of a column that the database numbers. A transaction that is rolled back uses it up. */
  nextNumber(): bigint {
    this.lastNumber += 1n
    return this.lastNumber
  }

  /** Returns the committed rows of a table. */
  rows(table: Table): Row[] {
    return [...(this.tables.get(getTableName(table))?.values() ?? [])]
  }

  /** Returns the rows of a table as a transaction sees them. */
  view(table: Table, transaction: OpenTransaction): Row[] {
    const name = getTableName(table)
    const own = transaction.changes.get(name)
    const committed = this.tables.get(name)
    if (!own) return committed ? [...committed.values()] : []
    return [...new Map([...(committed ?? []), ...own]).values()]
  }

  write(transaction: OpenTransaction, table: Table, row: Row): void {
    const name = getTableName(table)
    const own = transaction.changes.get(name) ?? new Map<string, Row>()
    transaction.changes.set(name, own)
    own.set(idOf(table, row), row)
  }

  /**
   * Locks a row until the transaction ends.
   *
   * @returns The transaction to wait for, if another one has it.
   */
  lock(transaction: OpenTransaction, table: Table, id: string): OpenTransaction | undefined {
    const key = `${getTableName(table)} ${id}`
    const owner = this.lockedBy.get(key)
    if (owner && owner !== transaction) {
      for (let next: OpenTransaction | undefined = owner; next; next = next.waitsFor) {
        if (next === transaction) throw new DeadlockError('deadlock detected')
      }
      return owner
    }
    this.lockedBy.set(key, transaction)
    transaction.locks.add(key)
    return undefined
  }

  commit(transaction: OpenTransaction): void {
    const changes: RowChange[] = []
    for (const [name, rows] of transaction.changes) {
      const table = this.tables.get(name) ?? new Map<string, Row>()
      this.tables.set(name, table)
      for (const [id, after] of rows) {
        changes.push({ table: name, before: table.get(id), after })
        table.set(id, after)
      }
    }
    this.release(transaction)
    if (changes.length) this.onCommit(changes)
  }

  /** Ends a transaction without its changes. */
  release(transaction: OpenTransaction): void {
    if (transaction.isOver) return
    for (const key of transaction.locks) this.lockedBy.delete(key)
    transaction.end()
  }

  /** Deletes a committed row. Only the simulated queue does so, for a job that is done. */
  remove(table: Table, id: string): void {
    this.tables.get(getTableName(table))?.delete(id)
  }
}
