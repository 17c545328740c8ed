import * as z from 'zod/mini'

const upTo100 = z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100'))

/**
 * The requested page of a list. A page past the end is empty.
 *
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const PageQuery = z.object({
  page: z._default(
    z
      .string()
      .check(
        z.regex(/^[1-9]\d*$/, 'expected a whole number of 1 or more'),
        z.maxLength(100, 'expected 100 digits or fewer'),
      ),
    '1',
  ),
  perPage: z._default(upTo100, '10'),
})

/** A page of a list, from 1 on. */
export type Page = { page: number; perPage: number }

/** No list is this long, and the database would refuse larger numbers. */
const lastPage = 1_000_000_000

/** Reads the page's numbers. */
export const toPage = ({ page, perPage }: z.output<typeof PageQuery>): Page => ({
  page: Math.min(Number(page), lastPage),
  perPage: Number(perPage),
})

/** The requested page of a list that is sorted by time. */
export const CursorQuery = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(upTo100, '30'),
})

/** Explains why a cursor is refused. */
export const wrongCursor = 'cursor: expected a nextCursor or previousCursor of this list'
