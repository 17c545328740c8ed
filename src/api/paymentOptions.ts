import type { PaymentOptionList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readPaymentOptionList } from '../schema/paymentOptionReaders.js'
import type { Client } from './client.js'
import { type CallParameters, requestBody } from './request.js'
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
