import type { EditOrderBody, Order } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { orderAnswer } from './orderAnswer.js'
import { type CallParameters, requestBody } from './request.js'

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
