import * as z from 'zod/mini'

/**
 * Creates a schema that parses a value by the one schema it is meant for, so that errors name the fields of
 * that schema instead of those of every alternative.
 *
 * @param shapeOf - Chooses the schema for a value.
 */
export const discriminate = <Value>(
  shapeOf: (value: unknown) => z.ZodMiniType<Value>,
): z.ZodMiniPipe<z.ZodMiniUnknown, z.ZodMiniTransform<Value, unknown>> =>
  z.pipe(
    z.unknown(),
    z.transform((value: unknown, { issues }) => {
      const parsed = z.safeParse(shapeOf(value), value, { reportInput: true })
      if (parsed.success) return parsed.data
      // A deliberate cast: an issue of the value is also an issue of the object that contains it, in the same
      // words.
      issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]))
      return z.NEVER
    }),
  )
