import type { PaymentMethodList, PaymentOptionList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readPaymentMethodList, readPaymentOptionList } from '../schema/paymentOptionReaders.js'
import type { Client } from './client.js'
import { type CallParameters, type KeyCallParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link listPaymentOptions}. */
export type ListPaymentOptionsParameters = CallParameters & {
  orderId: string
  /**
   * Who would pay: lists EVM chains or Solana, wherever this is an address. By default the order's payer, and all chains.
   */
  payerAddress?: string | undefined
}

/**
 * Lists the ways to pay an order: each currency on each chain that it may be paid in, its exact price there, the network
 * fee, and whether the payer holds enough for both. A chain that does not answer is listed with `null` for what it did
 * not say.
 *
 * @throws {@link KassaError} `api.conflict` once a payment was seen, `api.bad-request` naming `payerAddress`, …
 * @source answers.md "Revised again"
 */
export const listPaymentOptions = (
  client: Client,
  { orderId, payerAddress, ...call }: ListPaymentOptionsParameters,
): Promise<PaymentOptionList> =>
  requestBody(client, {
    operation: operations.listPaymentOptions,
    params: { orderId },
    query: writeQuery({ payerAddress }),
    answer: readPaymentOptionList,
    ...call,
  })

/**
 * Lists the chains that new orders can be paid on, and the currencies that are accepted on each: what a shop offers
 * before there is an order. {@link listPaymentOptions} has the prices of an order.
 *
 * @throws {@link KassaError} `api.forbidden` without a key that has `orders.create` or `orders.read`, …
 */
export const listPaymentMethods = (
  client: Client,
  parameters: KeyCallParameters = {},
): Promise<PaymentMethodList> =>
  requestBody(client, {
    operation: operations.listPaymentMethods,
    params: {},
    answer: readPaymentMethodList,
    ...parameters,
  })
