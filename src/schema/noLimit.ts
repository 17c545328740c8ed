import * as z from 'zod/mini'

/** Stands for a limit in a change, and removes it. */
export const noLimit = 'unlimited' as const

/** Refuses `null` for a limit: a number that could not be read becomes `null` in JSON. */
export const nullForLimit = `null is not a limit: leave the field out, or send "${noLimit}" to remove a limit that is set`

/** Returns the message of a limit's schema: {@link nullForLimit} for `null`, and what is expected for other values. */
export const limitError = (expected: string) => ({
  error: ({ input }: { input?: unknown }): string => (input === null ? nullForLimit : expected),
})

/** A limit of the schema, or {@link noLimit}, which removes the limit. */
export const orNoLimit = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniUnion<[Schema, z.ZodMiniLiteral<typeof noLimit>]> =>
  z.union([schema, z.literal(noLimit)], limitError(`expected a whole number, or "${noLimit}"`))

/** How many there may be at most, where that is limited. */
export const Limit = z
  .int(limitError('expected a whole number'))
  .check(z.gte(1, 'expected 1 or more'), z.lte(2_147_483_647, 'expected 2147483647 or less'))
