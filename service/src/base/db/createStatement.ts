import type { Database, Transaction } from './database.js'

type Prepared<Result> = { execute(values: Record<string, unknown>): Promise<Result> }

/**
 * Creates a statement that drizzle puts together once for each connection, and that the server plans once.
 *
 * @param name - Its name at the server, which no other statement has.
 * @param build - Builds it, with a placeholder for each value.
 * @returns Runs it with the values of its placeholders.
 */
export const createStatement = <Result>(
  name: string,
  build: (db: Database | Transaction) => { prepare(name: string): Prepared<Result> },
): ((db: Database | Transaction, values?: Record<string, unknown>) => Promise<Result>) => {
  const prepared = new WeakMap<object, Prepared<Result>>()
  return (db, values = {}) => {
    const { session } = db._
    const known = prepared.get(session) ?? build(db).prepare(name)
    prepared.set(session, known)
    return known.execute(values)
  }
}
