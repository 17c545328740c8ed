import * as z from 'zod/mini'

/**
 * A reader for what a newer service may write in place of the members of a list: any string but these.
 *
 * @returns A schema of the strings that the list has not; TypeScript has no type for them but one of their own.
 */
export const except = <Other extends string>(members: readonly string[]): z.ZodMiniType<Other> =>
  // A cast on purpose: which strings these are is checked.
  z
    .string()
    .check(
      z.refine((text) => !members.includes(text), { abort: true, params: { except: members } }),
    ) as unknown as z.ZodMiniType<Other>
