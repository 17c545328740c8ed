import type { Order } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { orderAnswer } from './getOrder.js'
import { type CallParameters, requestBody } from './request.js'

/** Parameters of {@link reportPayment}. */
export type ReportPaymentParameters = CallParameters & {
  orderId: string
  /** Hash of the transaction the buyer sent. */
  txId: string
}

/**
 * Reports the buyer's transaction to the service, so that it looks sooner. Only the chain decides.
 *
 * @throws {@link KassaError} `api.not-found`, `api.unavailable`, …
 * @source answers.md "Create order, edit order"
 */
export const reportPayment = (
  client: Client,
  { orderId, txId, ...call }: ReportPaymentParameters,
): Promise<Order> =>
  requestBody(client, {
    operation: operations.reportPayment,
    params: { orderId },
    body: { type: 'crypto-tx-id', txId },
    answer: orderAnswer(orderId),
    ...call,
  })
