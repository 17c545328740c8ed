import type {
  CartOrderBody,
  CreateOrderAnswer,
  CreateOrderBody,
  EditOrderBody,
  Order,
  OrderList,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCreateOrderAnswer, readOrderList } from '../schema/readers.js'
import type { Client } from './client.js'
import { orderAnswer } from './getOrder.js'
import { type CallParameters, type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createOrder}. */
export type CreateOrderParameters = Omit<CallParameters, 'clientSecret'> & {
  /** The items to buy as line items; for a shop's own handler, a cart that only the shop can read. */
  body: CreateOrderBody | CartOrderBody
  /** Within 24 hours, the same key and body return the first answer instead of creating a second order. */
  idempotencyKey?: string | undefined
}

/**
 * Creates an order.
 *
 * @returns The order and the client secret that opens it; only this answer contains the secret.
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.unauthorized`, `api.forbidden`, …
 * @source interface.md "Create order"
 * @example
 * ```ts
 * import { createClient, createOrder } from 'kassa/api'
 *
 * // The shop's own handler, made by `createCheckoutHandler`, knows what a cart costs.
 * const client = createClient({ baseUrl: '/api/checkout' })
 *
 * export const buy = (editionId: string) =>
 *   createOrder(client, {
 *     body: { cart: { editionId }, payment: { method: 'base-sepolia', currency: 'eth' } },
 *   })
 * ```
 */
export const createOrder = (client: Client, parameters: CreateOrderParameters): Promise<CreateOrderAnswer> =>
  requestBody(client, {
    operation: operations.createOrder,
    params: {},
    answer: readCreateOrderAnswer,
    ...parameters,
  })

/** Parameters of {@link editOrder}. */
export type EditOrderParameters = CallParameters & { orderId: string; body: EditOrderBody }

/**
 * Changes the recipient, the payment or the locale of an unpaid order. The service quotes it again.
 *
 * @throws {@link KassaError} `api.conflict` once a payment was seen, `api.bad-request` naming the field, …
 * @source answers.md "Create order, edit order"
 */
export const editOrder = (client: Client, { orderId, ...call }: EditOrderParameters): Promise<Order> =>
  requestBody(client, {
    operation: operations.editOrder,
    params: { orderId },
    answer: orderAnswer(orderId),
    ...call,
  })

/** Parameters of {@link refreshOrder}. */
export type RefreshOrderParameters = CallParameters & { orderId: string }

/**
 * Quotes an order again at the current price.
 *
 * @throws {@link KassaError} `api.conflict` once a payment was seen, …
 * @source answers.md "Create order, edit order"
 */
export const refreshOrder = (client: Client, { orderId, ...call }: RefreshOrderParameters): Promise<Order> =>
  requestBody(client, {
    operation: operations.refreshOrder,
    params: { orderId },
    body: {},
    answer: orderAnswer(orderId),
    ...call,
  })

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
