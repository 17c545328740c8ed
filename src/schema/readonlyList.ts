import type * as z from 'zod/mini'

/**
 * A list that is only read, so that what an app keeps as constants is taken too. The check stays the same one; zod's
 * own `readonly` would freeze what it is given.
 */
export const readonlyList = <Item>(list: z.ZodMiniType<Item[]>): z.ZodMiniType<readonly Item[]> => list
