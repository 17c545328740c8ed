import * as z from 'zod/mini'
import type { PageRequest } from '#base/db/readNewest.js'

/** The requested page of a list that is sorted by time. */
export const CursorQuery = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '30',
  ),
})

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
