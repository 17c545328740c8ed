import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import { openObject } from './open.js'
import { Order } from './order.js'

/** An order of a list. */
export const ListedOrder = openObject({
  ...Order.shape,
  /** ISO 8601; absent if the service does not say it. */
  createdAt: maybe(z.string()),
})
export type ListedOrder = z.infer<typeof ListedOrder>

/**
 * A page of a merchant's orders, newest first unless the oldest are asked for.
 *
 * @source answers.md "Create order, edit order"
 */
export const OrderList = openObject({
  data: z.array(ListedOrder),
  nextCursor: maybe(z.string()),
  previousCursor: maybe(z.string()),
})
export type OrderList = z.infer<typeof OrderList>
