import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import { Order } from './order.js'

/**
 * A page of a merchant's orders, newest first.
 *
 * @source answers.md "Create order, edit order"
 */
export const OrderList = z.looseObject({
  data: z.array(Order),
  nextCursor: maybe(z.string()),
  previousCursor: maybe(z.string()),
})
export type OrderList = z.infer<typeof OrderList>
