import { readAuthorization } from '../schema/authorizationReaders.js'
import type { Authorization, CreateAuthorizationBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type CallParameters, requestBody } from './request.js'

/** Parameters of {@link createAuthorization}. */
export type CreateAuthorizationParameters = CallParameters & {
  orderId: string
  /** What the buyer signed: `payment.preparation.authorization` of the order, with the signature. */
  body: CreateAuthorizationBody
  /** Within 24 hours, the same key returns the first answer. The same body is never settled twice, with or without one. */
  idempotencyKey?: string | undefined
}

/**
 * Pays for an order by what its buyer signed. The shop sends the payment and pays its network fee. The answer comes once
 * the payment is in a block, or after some seconds as `pending`: the same call then answers with what became of it.
 *
 * @throws {@link KassaError} `api.bad-request` saying why it does not pay for the order, `api.conflict` while another signed
 * payment is on its way, `api.rate-limited` if the shop sends no more today, …
 * @source answers.md "Revised a third time"
 */
export const createAuthorization = (
  client: Client,
  { orderId, ...call }: CreateAuthorizationParameters,
): Promise<Authorization> =>
  requestBody(client, {
    operation: operations.createAuthorization,
    params: { orderId },
    answer: readAuthorization,
    ...call,
  })
