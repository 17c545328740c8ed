import * as z from 'zod/mini'
import { Order } from './order.js'

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
