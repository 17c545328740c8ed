import type * as z from 'zod/mini'

/**
 * A read-only list, so that an app's constants are accepted too. The check stays the same; zod's own
 * `readonly` would freeze its input.
 */
export const readonlyList = <Item>(list: z.ZodMiniType<Item[]>): z.ZodMiniType<readonly Item[]> => list
