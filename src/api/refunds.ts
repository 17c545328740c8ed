import type { CreateRefundBody, Refund, RefundList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readRefund, readRefundList } from '../schema/refundReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link createRefund}. */
export type CreateRefundParameters = KeyCallParameters & {
  orderId: string
  /** The line items or the amount to refund. By default, everything that is left is refunded. */
  body?: CreateRefundBody | undefined
  /** Within 24 hours, the same key and body return the first answer instead of refunding twice. */
  idempotencyKey?: string | undefined
}

/**
 * Refunds a paid order to its payer: everything that is left, some line items, or an amount. Delivered tokens stay
 * with their holder.
 *
 * @throws {@link KassaError} `api.conflict` if more is requested than can be refunded, `api.bad-request` naming the
 * field, `api.forbidden` without a server key that has `orders.refund`, …
 * @example
 * ```ts
 * import { type Client, createRefund } from 'kassa/api'
 *
 * export const refundPoster = (client: Client, orderId: string) =>
 *   createRefund(client, {
 *     orderId,
 *     body: { lineItems: [{ index: 1 }], reason: 'The poster was damaged' },
 *     idempotencyKey: `poster of ${orderId}`,
 *   })
 * ```
 */
export const createRefund = (
  client: Client,
  { orderId, body = {}, ...call }: CreateRefundParameters,
): Promise<Refund> =>
  requestBody(client, {
    operation: operations.createRefund,
    params: { orderId },
    answer: readRefund,
    body,
    ...call,
  })

/** Parameters of {@link listRefunds}. */
export type ListRefundsParameters = KeyCallParameters & PageParameters & { orderId: string }

/**
 * Lists the refunds of an order, oldest first, page by page: the merchant's, and those that the service owes by its
 * own rules.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `orders.read`, …
 */
export const listRefunds = (
  client: Client,
  { orderId, page, perPage, ...call }: ListRefundsParameters,
): Promise<RefundList> =>
  requestBody(client, {
    operation: operations.listRefunds,
    params: { orderId },
    query: writeQuery({ page, perPage }),
    answer: readRefundList,
    ...call,
  })

/** Parameters of {@link getRefund}. */
export type GetRefundParameters = KeyCallParameters & { orderId: string; refundId: string }

/**
 * Gets a refund of an order.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `orders.read`, …
 */
export const getRefund = (
  client: Client,
  { orderId, refundId, ...call }: GetRefundParameters,
): Promise<Refund> =>
  requestBody(client, {
    operation: operations.getRefund,
    params: { orderId, refundId },
    answer: readRefund,
    ...call,
  })
