import * as z from 'zod/mini'

/** Line items of an order, by their positions. */
export const LineItemRefs = z
  .array(z.strictObject({ index: z.int('expected a whole number').check(z.gte(0, 'expected 0 or more')) }))
  .check(z.minLength(1, 'expected at least 1 line item'), z.maxLength(50, 'expected at most 50 line items'))
