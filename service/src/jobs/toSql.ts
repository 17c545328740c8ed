import { type SQL, sql } from 'drizzle-orm'

/**
 * Converts SQL text with `$1` placeholders into a drizzle statement, so that it can run in a caller's
 * transaction.
 */
export const toSql = (text: string, values: readonly unknown[] = []): SQL =>
  sql.join(
    text.split(/\$(\d+)/).map((part, index) => {
      if (index % 2 === 0) return sql.raw(part)
      const value = values[Number(part) - 1]
      const isJson = typeof value === 'object' && value !== null && !Array.isArray(value)
      return sql`${sql.param(isJson ? JSON.stringify(value) : (value ?? null))}`
    }),
  )
