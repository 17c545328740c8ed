import { Column, type SQL } from 'drizzle-orm'
import { Parser, type Read, type Scope } from './parser.js'
import { readExpression, readTokens } from './tokens.js'

const compiled = new Map<string, Read>()

/** Compiles an expression of drizzle: a condition, a column or a new value. */
export const compileExpression = (expression: SQL | Column): ((scope: Scope) => unknown) => {
  const written = readExpression(expression)
  const { shape, values } = written
  const read = compiled.get(shape) ?? new Parser(readTokens(written)).parseAll()
  compiled.set(shape, read)
  return (scope) => read(scope, values)
}

const meetsAlways = (): boolean => true

/** Compiles a condition. Without one, every row meets it. */
export const compileCondition = (condition: SQL | undefined): ((scope: Scope) => boolean) => {
  if (!condition) return meetsAlways
  const read = compileExpression(condition)
  return (scope) => Boolean(read(scope))
}

/**
 * Compiles `(count(*) filter (where …))::int` to the condition of the rows that count, which all do in `count(*)::int`.
 *
 * @returns `undefined` for any other expression.
 */
export const compileCountFilter = (expression: SQL): ((scope: Scope) => boolean) | undefined => {
  const written = readExpression(expression)
  if (written.shape === 'count(*)::int') return meetsAlways
  if (!written.shape.startsWith('(count(*) filter')) return undefined
  const tokens = readTokens(written)
  const words = tokens.map((token) => (token.type === 'word' ? token.text : ''))
  const condition = tokens.slice(words.indexOf('where') + 1, words.indexOf('::') - 2)
  const read = new Parser(condition).parseAll()
  return (scope) => Boolean(read(scope, written.values))
}

/** Compiles `sum(column)` to a read of the column. Returns `undefined` for any other expression. */
export const readSum = (expression: SQL): ((scope: Scope) => unknown) | undefined => {
  const [call, column] = readExpression(expression).parts
  return call === 'sum(' && column instanceof Column ? compileExpression(column) : undefined
}
