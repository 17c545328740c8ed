import * as z from 'zod/mini'

/**
 * A schema that reads a value by the one schema that it is meant for, so that faults are named by the fields of that
 * one and not by those of all that it could be.
 *
 * @param shapeOf - Which it is meant for.
 */
export const meantAs = <Value>(
  shapeOf: (value: unknown) => z.ZodMiniType<Value>,
): z.ZodMiniPipe<z.ZodMiniUnknown, z.ZodMiniTransform<Value, unknown>> =>
  z.pipe(
    z.unknown(),
    z.transform((value: unknown, { issues }) => {
      const parsed = z.safeParse(shapeOf(value), value, { reportInput: true })
      if (parsed.success) return parsed.data
      // A cast on purpose: what is wrong with the value is wrong with whatever it stands in, in the same words.
      issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]))
      return z.NEVER
    }),
  )
