import type { OrderList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readOrderList } from '../schema/readers.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link listOrders}. */
export type ListOrdersParameters = KeyCallParameters & {
  /** The `nextCursor` or `previousCursor` of another page; without it, the newest orders. */
  cursor?: string | undefined
  /** From 1 to 100; 30 by default. */
  limit?: number | undefined
}

/**
 * Lists the orders of a shop, newest first, page by page.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `orders.read`, `api.bad-request`
 * for a page
 * that cannot be, …
 * @source answers.md "Create order, edit order"
 * @example
 * ```ts
 * import { type Client, listOrders } from 'kassa/api'
 *
 * export const countOrders = async (client: Client) => {
 *   let count = 0
 *   let cursor: string | undefined
 *   do {
 *     const page = await listOrders(client, { cursor, limit: 100 })
 *     count += page.data.length
 *     cursor = page.nextCursor
 *   } while (cursor)
 *   return count
 * }
 * ```
 */
export const listOrders = async (
  client: Client,
  { cursor, limit, ...call }: ListOrdersParameters = {},
): Promise<OrderList> =>
  requestBody(client, {
    operation: operations.listOrders,
    params: {},
    query: { cursor, limit },
    answer: readOrderList,
    ...call,
  })
