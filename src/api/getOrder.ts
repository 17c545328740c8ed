import type { Order } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Reader } from '../schema/read.js'
import { readOrder } from '../schema/readers.js'
import type { Client } from './client.js'
import { type Answered, type CallParameters, request, requestBody } from './request.js'

/** Parameters of {@link getOrder}. */
export type GetOrderParameters = CallParameters & { orderId: string }

/**
 * Gets an order.
 *
 * @throws {@link KassaError} `api.not-found`, `api.unauthorized`, `api.unavailable`, …
 * @source interface.md "Get order"
 */
export const getOrder = (client: Client, { orderId, ...call }: GetOrderParameters): Promise<Order> =>
  requestBody(client, {
    operation: operations.getOrder,
    params: { orderId },
    answer: orderAnswer(orderId),
    ...call,
  })

/** Parameters of {@link getOrderIfChanged}. */
type PollOrderParameters = GetOrderParameters & { etag?: string | undefined }

/**
 * Gets an order unless it is still the one that `etag` names. In that case the answer has no body and costs
 * almost nothing.
 *
 * @source answers.md "Create order, edit order"
 */
export const getOrderIfChanged = (
  client: Client,
  parameters: PollOrderParameters,
): Promise<Answered<Order>> => pollOrder(client, parameters, () => ({ isUnchanged: true }))

/** Gets an order. If it is still the one that `etag` names, `onUnchanged` returns the result. */
export const pollOrder = <Unchanged>(
  client: Client,
  { orderId, ...call }: PollOrderParameters,
  onUnchanged: (url: string) => Unchanged,
) =>
  request(
    client,
    {
      operation: operations.getOrder,
      params: { orderId },
      answer: orderAnswer(orderId),
      isPoll: true,
      ...call,
    },
    onUnchanged,
  )

/**
 * Parses the answer about one order, and rejects one about another order, which would be shown and paid in
 * its place.
 */
export const orderAnswer =
  (orderId: string): Reader<Order> =>
  (body) => {
    const answer = readOrder(body)
    return answer.fault === undefined && answer.data.orderId !== orderId
      ? { fault: 'orderId: another order' }
      : answer
  }
