import { Column, getTableName, SQL, type Table } from 'drizzle-orm'
import { compileCondition, compileCountFilter, compileExpression, readSum } from './expression.js'
import type { Row, Scope } from './parser.js'
import { type Access, compileFields, type Fields, type Run, Statement } from './statement.js'
import { idOf } from './storage.js'
import { readExpression } from './tokens.js'

const compareBy = (order: Column | SQL) => {
  const { parts } = readExpression(order)
  const [column, direction] = parts.filter((part) => part !== '')
  // Which of several equals comes first does not matter where the service asks for any.
  if (column === 'random()') return () => 0
  if (!(column instanceof Column)) throw new Error('The database of the simulation orders by columns only.')
  const read = compileExpression(column)
  return (one: Scope, other: Scope): number => {
    const [left, right] = [read(one) as number, read(other) as number]
    const rank = left < right ? -1 : left > right ? 1 : 0
    return direction === ' desc' ? -rank : rank
  }
}

const keyOfRow = (row: Row): string => Object.values(row).map(String).join('|')

/** A query. */
export class Select extends Statement {
  private table: Table | undefined
  private readonly joins: { table: Table; condition: SQL | undefined }[] = []
  private condition: SQL | undefined
  private readonly orders: (Column | SQL)[] = []
  private groups: readonly Column[] | undefined
  private most = Number.POSITIVE_INFINITY
  override isReading = true

  private readonly fields: Fields | undefined
  private readonly isDistinct: boolean

  constructor(run: Run, fields: Fields | undefined, isDistinct: boolean) {
    super(run)
    this.fields = fields
    this.isDistinct = isDistinct
  }

  from(table: Table): this {
    this.table = table
    return this
  }

  innerJoin(table: Table, condition: SQL | undefined): this {
    this.joins.push({ table, condition })
    return this
  }

  where(condition: SQL | undefined): this {
    this.condition = condition
    return this
  }

  groupBy(...groups: Column[]): this {
    this.groups = groups
    return this
  }

  orderBy(...orders: (Column | SQL)[]): this {
    this.orders.push(...orders)
    return this
  }

  limit(most: number): this {
    this.most = most
    return this
  }

  /** Shared locks are exclusive here: fewer statements run side by side than in PostgreSQL. */
  for(_strength: string): this {
    this.isReading = false
    return this
  }

  evaluate(access: Access): unknown {
    const { table, fields, groups } = this
    if (!table) throw new Error('A query of the simulation reads a table.')
    const name = getTableName(table)
    let scopes: Scope[] = access.view(table).map((row) => this.scopeOf({ [name]: row }))
    for (const join of this.joins) {
      const meets = compileCondition(join.condition)
      const joined = access.view(join.table)
      const joinedName = getTableName(join.table)
      scopes = scopes.flatMap((scope) => joined.map((row) => ({ ...scope, [joinedName]: row }))).filter(meets)
    }
    scopes = scopes.filter(compileCondition(this.condition))
    for (const order of [...this.orders].reverse()) scopes.sort(compareBy(order))
    if (scopes.length > this.most) scopes.length = this.most
    if (!this.isReading) for (const scope of scopes) access.lock(table, idOf(table, scope[name] ?? {}))
    if (fields && groups) return readGroups(fields, groups, scopes)
    const counts = fields && readCounts(fields, scopes)
    if (counts) return [counts]
    const read = fields && compileFields(fields)
    const rows = scopes.map((scope) => (read ? read(scope) : { ...scope[name] }))
    if (!this.isDistinct) return rows
    return [...new Map(rows.map((row) => [keyOfRow(row), row])).values()]
  }
}

/** Returns one row for each group: its columns, and the sums over its rows, which PostgreSQL returns as texts. */
const readGroups = (fields: Fields, groups: readonly Column[], scopes: readonly Scope[]): Row[] => {
  const readKey = compileFields(Object.fromEntries(groups.map((group, at) => [at, group])))
  const byKey = new Map<string, Scope[]>()
  for (const scope of scopes) {
    const key = keyOfRow(readKey(scope))
    byKey.set(key, [...(byKey.get(key) ?? []), scope])
  }
  return [...byKey.values()].map((own) => {
    const row: Row = {}
    for (const [key, field] of Object.entries(fields)) {
      const summed = field instanceof SQL ? readSum(field) : undefined
      const read = summed ?? compileExpression(field as Column)
      const values = own.map((scope) => read(scope))
      row[key] = summed
        ? `${values.reduce<bigint>((sum, value) => sum + BigInt(value as bigint), 0n)}`
        : values[0]
    }
    return row
  })
}

const readCounts = (fields: Fields, scopes: readonly Scope[]): Row | undefined => {
  const counts: Row = {}
  for (const [key, field] of Object.entries(fields)) {
    const meets = field instanceof SQL ? compileCountFilter(field) : undefined
    if (!meets) return undefined
    counts[key] = scopes.filter(meets).length
  }
  return counts
}
