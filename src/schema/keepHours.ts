import * as z from 'zod/mini'

/** For how many hours what is replaced still works. */
export const keepHours = (most: number) =>
  z
    .int('expected a whole number')
    .check(z.gte(0, 'expected 0 or more'), z.lte(most, `expected ${most} or less`))
