import { Column, getTableName, Param, Placeholder, SQL, StringChunk } from 'drizzle-orm'

/** A piece of an SQL expression: a word or sign, a literal, a column, a placeholder, or the place of a value. */
export type Token =
  | { type: 'word'; text: string }
  | { type: 'text'; value: string }
  | { type: 'column'; column: Column }
  | { type: 'placeholder'; name: string }
  | { type: 'value'; place: number }

/** An expression of drizzle: what its text is, and the values and columns that stand in it. */
export type Written = { shape: string; values: unknown[]; parts: (string | Column | Placeholder | null)[] }

const columnNames = new WeakMap<Column, string>()

const nameOf = (column: Column): string => {
  const name = columnNames.get(column) ?? `${getTableName(column.table)}.${column.name}`
  columnNames.set(column, name)
  return name
}

const write = (chunk: unknown, written: Written): void => {
  if (chunk === undefined) return
  if (chunk instanceof SQL) {
    for (const part of chunk.queryChunks) write(part, written)
  } else if (chunk instanceof StringChunk) {
    for (const text of chunk.value) {
      written.shape += text
      written.parts.push(text)
    }
  } else if (chunk instanceof Column) {
    written.shape += nameOf(chunk)
    written.parts.push(chunk)
  } else if (chunk instanceof Placeholder) {
    written.shape += `:${chunk.name}`
    written.parts.push(chunk)
  } else if (Array.isArray(chunk)) {
    written.shape += '('
    written.parts.push('(')
    for (const [at, member] of chunk.entries()) {
      if (at) written.parts.push(',')
      write(member, written)
    }
    written.shape += ')'
    written.parts.push(')')
  } else {
    written.shape += '?'
    written.parts.push(null)
    written.values.push(chunk instanceof Param ? chunk.value : chunk)
  }
}

/** Reads an expression of drizzle. Expressions of one shape differ in their values only. */
export const readExpression = (expression: unknown): Written => {
  const written: Written = { shape: '', values: [], parts: [] }
  write(expression, written)
  return written
}

const pattern = /\s+|'([^']*)'|->>|->|::|<>|<=|>=|[=<>(),*+-]|[\w.]+/gy

const readText = (text: string): Token[] => {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const [match, quoted] = pattern.exec(text) ?? []
    if (match === undefined) throw new Error(`The database of the simulation cannot read: ${text.slice(at)}`)
    if (quoted !== undefined) tokens.push({ type: 'text', value: quoted })
    else if (match.trim()) tokens.push({ type: 'word', text: match.toLowerCase() })
  }
  return tokens
}

/** Splits an expression into its words, and the columns and values between them. */
export const readTokens = ({ parts }: Written): Token[] => {
  let place = 0
  return parts.flatMap((part): Token[] => {
    if (typeof part === 'string') return readText(part)
    if (part instanceof Placeholder) return [{ type: 'placeholder', name: part.name }]
    if (part) return [{ type: 'column', column: part }]
    return [{ type: 'value', place: place++ }]
  })
}
