import * as z from 'zod/mini'

const withoutNull = z.transform((value: unknown): unknown => value ?? undefined)

/**
 * A reader for a field that may be absent: `null` is read as absence, which is how some services write it.
 *
 * @returns A schema whose output has the field or has it not, and never `null`.
 */
export const maybe = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniPipe<typeof withoutNull, z.ZodMiniOptional<Schema>> => z.pipe(withoutNull, z.optional(schema))
