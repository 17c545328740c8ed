import pg from 'pg'

/** How often a statement is sent before it is prepared. Those that are built for one request never are. */
const sendsBefore = 5
/** How many statements are prepared at most: the server keeps each of them for each connection. */
const maxPrepared = 200
/** Of how many values a prepared statement is at most: longer ones are lists, which have many lengths. */
const maxValues = 50
/** How many statements are counted at most, while they are too rare to be prepared. */
const maxCounted = 2_000

/** Returns the name under which a statement is prepared, or `undefined` if it is too rare. */
export const createStatementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) => {
    const name = names.get(text)
    if (name !== undefined || names.size >= maxPrepared) return name
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    if (count < sendsBefore) {
      if (counts.size > maxCounted) counts.clear()
      return undefined
    }
    counts.delete(text)
    names.set(text, `kassa_${names.size}`)
    return names.get(text)
  }
}

type Statement = { text: string; name?: string; values?: unknown[] }

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  // The driver's own queries are classes.
  !('submit' in value)

/**
 * Returns the connections of one pool, which prepare the statements that are sent often, so that the server plans them
 * once.
 */
export const createPreparingClient = (): typeof pg.Client => {
  const nameOf = createStatementNames()
  return class extends pg.Client {
    override query(...parameters: unknown[]): never {
      const [statement, ...rest] = parameters
      const isRare =
        !isStatement(statement) || statement.name !== undefined || (statement.values?.length ?? 0) > maxValues
      const name = isRare ? undefined : nameOf(statement.text)
      const sent = name === undefined ? parameters : [{ ...(statement as Statement), name }, ...rest]
      return Reflect.apply(super.query, this, sent) as never
    }
  }
}

/**
 * A connection that prepares nothing, for a pool that gives the server's connections to one transaction after the other:
 * another process may have prepared a statement of the same name.
 */
export class UnpreparedClient extends pg.Client {
  override query(...parameters: unknown[]): never {
    const [statement, ...rest] = parameters
    if (!isStatement(statement)) return Reflect.apply(super.query, this, parameters) as never
    const { name: _, ...unnamed } = statement
    return Reflect.apply(super.query, this, [unnamed, ...rest]) as never
  }
}
