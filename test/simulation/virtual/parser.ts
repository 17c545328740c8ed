import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm'
import {
  casts,
  comparable,
  compare,
  type Defined,
  functions,
  isLike,
  isUnknown,
  signs,
} from './operations.js'
import type { Token } from './tokens.js'

/** A row as a statement returns it. */
export type Row = Record<string, unknown>

/** The rows that an expression reads, by the names of their tables. */
export type Scope = Readonly<Record<string, Row>>

/** Reads a value from the rows of a statement and the values that stand in its text. */
export type Read = (scope: Scope, values: readonly unknown[]) => unknown

const literals = new Map([
  ['true', true],
  ['false', false],
])

const keys = new WeakMap<Table, Map<Column, string>>()

/** Returns the property of a row that holds a column. */
const keyOf = (column: Column): string => {
  const known =
    keys.get(column.table) ??
    new Map(Object.entries(getTableColumns(column.table)).map(([key, own]) => [own, key]))
  keys.set(column.table, known)
  const key = known.get(column)
  if (key === undefined) throw new Error(`${column.name} is not a column of ${getTableName(column.table)}`)
  return key
}

/** Adds numbers. A sum with a bigint is one. */
const addNumbers = (one: unknown, other: unknown, factor: 1 | -1): number | bigint | null => {
  if (isUnknown(one) || isUnknown(other)) return null
  if (typeof one !== 'bigint' && typeof other !== 'bigint') return Number(one) + factor * Number(other)
  return BigInt(one as bigint) + BigInt(factor) * BigInt(other as bigint)
}

/** What a prepared statement is run with. It is a row of the scope under this name. */
export const placeholders = 'placeholders'

/** Compiles the part of SQL's expressions that the service uses in its statements about orders and money. */
export class Parser {
  private at = 0

  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private isNext(...words: string[]): boolean {
    return words.every((word, offset) => {
      const token = this.tokens[this.at + offset]
      return token?.type === 'word' && token.text === word
    })
  }

  private take(...words: string[]): boolean {
    if (!this.isNext(...words)) return false
    this.at += words.length
    return true
  }

  private expect(word: string): void {
    if (!this.take(word)) this.fail()
  }

  private fail(): never {
    const words = this.tokens.map((token) => (token.type === 'word' ? token.text : `<${token.type}>`))
    words.splice(this.at, 0, '«here»')
    throw new Error(`The database of the simulation cannot evaluate: ${words.join(' ')}`)
  }

  parseAll(): Read {
    const read = this.parseOr()
    if (this.at < this.tokens.length) this.fail()
    return read
  }

  private parseOr(): Read {
    let read = this.parseAnd()
    while (this.take('or')) {
      const [one, other] = [read, this.parseAnd()]
      read = (scope, values) => one(scope, values) || other(scope, values)
    }
    return read
  }

  private parseAnd(): Read {
    let read = this.parseComparison()
    while (this.take('and')) {
      const [one, other] = [read, this.parseComparison()]
      read = (scope, values) => one(scope, values) && other(scope, values)
    }
    return read
  }

  private parseComparison(): Read {
    if (this.take('not')) {
      const read = this.parseComparison()
      return (scope, values) => !read(scope, values)
    }
    const left = this.parseSum()
    if (this.take('is', 'not', 'null')) return (scope, values) => !isUnknown(left(scope, values))
    if (this.take('is', 'null')) return (scope, values) => isUnknown(left(scope, values))
    if (this.take('not', 'in')) return this.parseList(left, false)
    if (this.take('in')) return this.parseList(left, true)
    if (this.take('=', 'any')) return this.parseAny(left)
    if (this.take('like')) {
      const pattern = this.parseSum()
      return (scope, values) => isLike(left(scope, values), String(pattern(scope, values)))
    }
    for (const [sign, isMet] of signs) {
      if (!this.take(sign)) continue
      const right = this.parseSum()
      return (scope, values) => {
        const one = comparable(left(scope, values))
        const other = comparable(right(scope, values))
        return one !== null && other !== null && isMet(compare(one as Defined, other as Defined))
      }
    }
    return left
  }

  private parseList(left: Read, isWanted: boolean): Read {
    const members = this.parseArguments()
    return (scope, values) => {
      const value = comparable(left(scope, values))
      if (value === null) return false
      return members.some((member) => comparable(member(scope, values)) === value) === isWanted
    }
  }

  /** Parses the rest of `one = any(list)`. */
  private parseAny(left: Read): Read {
    const [list = this.fail()] = this.parseArguments()
    return (scope, values) => {
      const value = comparable(left(scope, values))
      return value !== null && (list(scope, values) as unknown[]).some((one) => comparable(one) === value)
    }
  }

  private parseArguments(): Read[] {
    const members: Read[] = []
    this.expect('(')
    while (!this.take(')')) {
      members.push(this.parseOr())
      if (!this.isNext(')')) this.expect(',')
    }
    return members
  }

  private parseSum(): Read {
    let read = this.parsePath()
    while (this.isNext('-') || this.isNext('+')) {
      const factor = this.take('-') ? -1 : 1
      this.take('+')
      const [one, other] = [read, this.parsePath()]
      read = (scope, values) => addNumbers(one(scope, values), other(scope, values), factor)
    }
    return read
  }

  private parsePath(): Read {
    let read = this.parsePrimary()
    for (;;) {
      if (this.take('->') || this.take('->>')) {
        const [one, field] = [read, this.parsePrimary()({}, [])]
        read = (scope, values) => (one(scope, values) as Row | null | undefined)?.[String(field)] ?? null
      } else if (this.take('::')) {
        const token = this.tokens[this.at++]
        const cast = token?.type === 'word' ? casts[token.text] : undefined
        if (!cast) this.fail()
        const one = read
        read = (scope, values) => cast(one(scope, values))
      } else return read
    }
  }

  /** Parses the rest of `(one, other)`, which is compared from its first member on. */
  private parseRow(first: Read): Read {
    const members = [first]
    do members.push(this.parseOr())
    while (this.take(','))
    this.expect(')')
    return (scope, values) => members.map((member) => member(scope, values))
  }

  private parseCase(): Read {
    const condition = this.parseOr()
    this.expect('then')
    const read = this.parseOr()
    this.expect('end')
    return (scope, values) => (condition(scope, values) ? read(scope, values) : null)
  }

  private parsePrimary(): Read {
    const token = this.tokens[this.at]
    if (!token) this.fail()
    if (this.take('(')) {
      const read = this.parseOr()
      if (this.take(')')) return read
      this.expect(',')
      return this.parseRow(read)
    }
    if (this.take('case', 'when')) return this.parseCase()
    this.at += 1
    if (token.type === 'text') return () => token.value
    if (token.type === 'value') return (_scope, values) => values[token.place]
    if (token.type === 'placeholder') return (scope) => scope[placeholders]?.[token.name]
    if (token.type === 'column') {
      const key = keyOf(token.column)
      const table = getTableName(token.column.table)
      return (scope) => scope[table]?.[key]
    }
    if (token.text.startsWith('excluded.')) {
      const name = token.text.slice('excluded.'.length)
      return (scope) => scope.excluded?.[name]
    }
    const literal = literals.get(token.text)
    if (literal !== undefined) return () => literal
    const call = functions[token.text]
    if (call) {
      const members = this.parseArguments()
      return (scope, values) => call(members.map((member) => member(scope, values)))
    }
    if (/^\d+$/.test(token.text)) return () => Number(token.text)
    this.at -= 1
    return this.fail()
  }
}
