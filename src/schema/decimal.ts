import * as z from 'zod/mini'

/** An exact, non-negative decimal number as a string, such as `0.0125`. Never a float. */
export const Decimal = z
  .string()
  .check(z.regex(/^(0|[1-9]\d{0,59})(\.\d{1,60})?$/, 'expected a decimal string such as "0.0125"'))
export type Decimal = z.infer<typeof Decimal>
