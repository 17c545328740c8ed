import * as z from 'zod/mini'

/**
 * A reader for the values that a newer service may send beside the members of a list: any other string.
 *
 * @returns A schema of all strings outside the list. TypeScript has no such type, so the schema uses a
 * separate one.
 */
export const except = <Other extends string>(members: readonly string[]): z.ZodMiniType<Other> =>
  // The cast is deliberate: the check decides which strings these are.
  z
    .string()
    .check(
      z.refine((text) => !members.includes(text), { abort: true, params: { except: members } }),
    ) as unknown as z.ZodMiniType<Other>
