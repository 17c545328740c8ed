import type { CursorQuery } from 'kassa/engine'
import * as z from 'zod/mini'
import type { PageRequest } from '#base/db/readNewest.js'

/** Reads the page's limit. */
export const toPageRequest = ({ cursor, limit }: z.output<typeof CursorQuery>): PageRequest => ({
  limit: Number(limit),
  ...(cursor !== undefined && { cursor }),
})

/** A point in time in a query. */
export const Time = z.string().check(
  z.maxLength(40, 'too long'),
  z.refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: 'expected a time in ISO 8601, such as 2026-11-22T00:00:00Z',
  }),
)
