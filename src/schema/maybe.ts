import * as z from 'zod/mini'

const withoutNull = z.transform((value: unknown): unknown => value ?? undefined)

/**
 * A reader for an optional field: `null` is read as absent, because some services write it so.
 *
 * @returns A schema whose output either has the field or lacks it; it is never `null`.
 */
export const maybe = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniPipe<typeof withoutNull, z.ZodMiniOptional<Schema>> => z.pipe(withoutNull, z.optional(schema))
