import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { wrongCursor } from 'kassa/engine'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'

/** The requested page of a list: newest first, or oldest first. */
export type PageRequest = {
  limit: number
  cursor?: string | undefined
  sort?: 'newest' | 'oldest' | undefined
}

/** A position in such a list, and the direction in which to continue. */
type Cursor = { direction: 'older' | 'newer'; createdAtMs: number; id: string }

type Position = { id: string; createdAt: Date }

/** Encodes the position after (or before) a row. */
const writeCursor = (direction: Cursor['direction'], { createdAt, id }: Position): string =>
  Buffer.from(`${direction}:${createdAt.getTime()}:${id}`).toString('base64url')

/**
 * Decodes a cursor from a client.
 *
 * @throws {@link ServiceError} `input-invalid` if the text is not one of the service's cursors.
 */
const parseCursor = (text: string): Cursor => {
  const [direction, createdAt, id] = Buffer.from(text, 'base64url').toString().split(':')
  const isDirection = direction === 'older' || direction === 'newer'
  if (!isDirection || !createdAt || !/^\d{1,13}$/.test(createdAt) || !id || !isUuid(id)) {
    throw new ServiceError('input-invalid', wrongCursor)
  }
  return { direction, createdAtMs: Number(createdAt), id }
}

/** What selects a page: the condition with those of the caller, the order, and one row more than the page has. */
type PageQuery = { beyond(...conditions: (SQL | undefined)[]): SQL | undefined; order: SQL[]; limit: number }

/**
 * Reads a page of a list that is sorted by time and id. Each page starts at a row of the one before, so the last page
 * costs as much as the first.
 *
 * @throws {@link ServiceError} `input-invalid` for a bad cursor.
 */
export const readNewest = async <Row extends Position>(
  request: PageRequest,
  columns: { createdAt: PgColumn; id: PgColumn },
  select: (query: PageQuery) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextCursor?: string; previousCursor?: string }> => {
  const { limit } = request
  const cursor = request.cursor === undefined ? undefined : parseCursor(request.cursor)
  const [onward, backward] =
    request.sort === 'oldest' ? (['newer', 'older'] as const) : (['older', 'newer'] as const)
  const direction = cursor?.direction ?? onward
  const isBack = direction === backward
  const sort = direction === 'newer' ? asc : desc
  const sign = direction === 'newer' ? sql`>` : sql`<`
  const position =
    cursor &&
    sql`(${columns.createdAt}, ${columns.id}) ${sign} (${new Date(cursor.createdAtMs).toISOString()}::timestamptz, ${cursor.id}::uuid)`

  const found = await select({
    beyond: (...conditions) => and(...conditions, position),
    order: [sort(columns.createdAt), sort(columns.id)],
    limit: limit + 1,
  })
  const rows = isBack ? found.slice(0, limit).reverse() : found.slice(0, limit)
  const isMore = found.length > limit
  const [first, last] = [rows.at(0), rows.at(-1)]
  return {
    rows,
    ...(last && (isMore || isBack) && { nextCursor: writeCursor(onward, last) }),
    ...(first && (isBack ? isMore : cursor) && { previousCursor: writeCursor(backward, first) }),
  }
}
