import * as z from 'zod/mini'
import { parseInput } from '../../engine/parseInput.js'

const PageQuery = z.object({
  page: z._default(
    z
      .string()
      .check(
        z.regex(/^[1-9]\d*$/, 'expected a whole number of 1 or more'),
        z.maxLength(100, 'expected 100 digits or fewer'),
      ),
    '1',
  ),
  perPage: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '10',
  ),
})

/**
 * Reads which part of a list is asked for.
 *
 * @returns What takes that part of a list.
 * @throws {@link HttpError} naming the field.
 */
export const readPage = (query: URLSearchParams): (<Item>(list: readonly Item[]) => Item[]) => {
  const { page, perPage } = parseInput(PageQuery, Object.fromEntries(query), 'query')
  const [size, from] = [Number(perPage), (Number(page) - 1) * Number(perPage)]
  return (list) => list.slice(from, from + size)
}
