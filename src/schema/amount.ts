import * as z from 'zod/mini'
import { openObject } from './open.js'

/**
 * An amount of money in one currency.
 *
 * @units `amount` is a decimal string in whole units of `currency` (`eth`, not wei).
 * @source interface.md "Order"
 */
export const Amount = openObject({ amount: z.string(), currency: z.string() })
export type Amount = z.infer<typeof Amount>
