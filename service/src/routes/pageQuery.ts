import * as z from 'zod/mini'

const whole = (name: string) => z.string().check(z.regex(/^[1-9]\d{0,8}$/, `expected ${name}`))

/**
 * Which part of a list is asked for.
 *
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const PageQuery = z.object({
  page: z._default(whole('a whole number of 1 or more'), '1'),
  perPage: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '10',
  ),
})

/** A page of a list, from 1 on. */
export type Page = { page: number; perPage: number }

/** Reads the numbers of a page. */
export const toPage = ({ page, perPage }: z.output<typeof PageQuery>): Page => ({
  page: Number(page),
  perPage: Number(perPage),
})
