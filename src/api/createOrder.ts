import type { CartOrderBody, CreateOrderAnswer, CreateOrderBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCreateOrderAnswer } from '../schema/readers.js'
import type { Client } from './client.js'
import { type CallParameters, requestBody } from './request.js'

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
