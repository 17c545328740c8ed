import * as z from 'zod/mini'
import { Order } from './order.js'

/**
 * What the service answers when it refuses or fails.
 *
 * @source interface.md "Errors"
 */
export const ErrorAnswer = z.looseObject({ error: z.unknown(), message: z.optional(z.string()) })
export type ErrorAnswer = z.infer<typeof ErrorAnswer>

/**
 * A page of a merchant's orders, newest first.
 *
 * @source answers.md "Create order, edit order"
 */
export const OrderList = z.looseObject({
  data: z.array(Order),
  nextCursor: z.optional(z.string()),
  previousCursor: z.optional(z.string()),
})
export type OrderList = z.infer<typeof OrderList>
