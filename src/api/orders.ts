import type {
  CartOrderBody,
  CreateOrderAnswer,
  CreateOrderBody,
  EditOrderBody,
  Order,
  OrderList,
  OrderSort,
  Phase,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCreateOrderAnswer, readOrderList } from '../schema/readers.js'
import type { Client } from './client.js'
import { orderAnswer } from './getOrder.js'
import { type CallParameters, type KeyCallParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

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
 * @throws {@link KassaError} `api.conflict` while a payment that was seen may pay for it, `api.bad-request` naming the field, …
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
 * @throws {@link KassaError} `api.conflict` while a payment that was seen may pay for it, …
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

/** Parameters of {@link captureOrder} and {@link voidOrder}. */
export type CaptureOrderParameters = KeyCallParameters & {
  orderId: string
  /** Within 24 hours, the same key returns the first answer. */
  idempotencyKey?: string | undefined
}

/**
 * Captures the payment of an order that was created with `payment.capture: 'manual'`: from then on, its line items are
 * delivered. Capturing it again changes nothing.
 *
 * @throws {@link KassaError} `api.conflict` if there is nothing to capture, saying what happened, `api.forbidden`
 * without a server key that has `orders.capture`, …
 */
export const captureOrder = (client: Client, { orderId, ...call }: CaptureOrderParameters): Promise<Order> =>
  requestBody(client, {
    operation: operations.captureOrder,
    params: { orderId },
    body: {},
    answer: orderAnswer(orderId),
    ...call,
  })

/**
 * Voids the payment of an order that was created with `payment.capture: 'manual'`: nothing is delivered, and the whole
 * payment goes back to its payer. Voiding it again changes nothing.
 *
 * @throws {@link KassaError} `api.conflict` if there is nothing to void, saying what happened, `api.forbidden` without
 * a server key that has `orders.capture`, …
 */
export const voidOrder = (client: Client, { orderId, ...call }: CaptureOrderParameters): Promise<Order> =>
  requestBody(client, {
    operation: operations.voidOrder,
    params: { orderId },
    body: {},
    answer: orderAnswer(orderId),
    ...call,
  })

/** Which orders of a shop to list, and in which order. */
export type OrderFilters = {
  /** By when they were created: `newest` first by default, or `oldest` first. */
  sort?: OrderSort | undefined
  /** Only orders in this phase. */
  phase?: Phase | undefined
  /**
   * Only the order with this id, or orders with this e-mail address, wallet, transaction, locator of a delivered token
   * or name of a product, in capitals or not. The service of this project also looks for a part of any of these.
   */
  search?: string | undefined
  /** Only orders that were created at this time, in ISO 8601, or later. */
  createdFrom?: string | undefined
  /** Only orders that were created before this time, in ISO 8601. */
  createdBefore?: string | undefined
}

/** Parameters of {@link listOrders}. */
export type ListOrdersParameters = KeyCallParameters &
  OrderFilters & {
    /** The `nextCursor` or `previousCursor` of another page; without it, the first one. */
    cursor?: string | undefined
    /** From 1 to 100; 30 by default. */
    limit?: number | undefined
  }

/**
 * Lists the orders of a shop, page by page.
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
  { cursor, limit, sort, phase, search, createdFrom, createdBefore, ...call }: ListOrdersParameters = {},
): Promise<OrderList> =>
  requestBody(client, {
    operation: operations.listOrders,
    params: {},
    query: writeQuery({ cursor, limit, sort, phase, search, createdFrom, createdBefore }),
    answer: readOrderList,
    ...call,
  })
