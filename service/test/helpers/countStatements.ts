import pg from 'pg'

/** Counts what this process asks PostgreSQL, until it is stopped. */
export const countStatements = () => {
  const statements: string[] = []
  const query = pg.Client.prototype.query
  const countQuery = function (this: pg.Client, ...parameters: Parameters<typeof query>) {
    const [statement] = parameters as unknown[]
    const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text
    statements.push(String(text).trim())
    return query.apply(this, parameters)
  }
  pg.Client.prototype.query = countQuery as typeof query
  return {
    statements,
    stop: (): void => {
      pg.Client.prototype.query = query
    },
  }
}
