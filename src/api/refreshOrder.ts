import type { Order } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { orderAnswer } from './orderAnswer.js'
import { type CallParameters, requestBody } from './request.js'

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
