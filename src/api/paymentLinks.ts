import { readPaymentLink, readPaymentLinkList } from '../schema/developerReaders.js'
import type {
  CreatePaymentLinkBody,
  PaymentLink,
  PaymentLinkList,
  UpdatePaymentLinkBody,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link createPaymentLink}. */
export type CreatePaymentLinkParameters = KeyCallParameters & {
  body: CreatePaymentLinkBody
  /** Within 24 hours, the same key and body return the first answer instead of acting twice. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a payment link: a page of the service on which anyone who has its address orders and pays.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.forbidden` without a server key that has
 * `orders.create`, …
 */
export const createPaymentLink = (
  client: Client,
  parameters: CreatePaymentLinkParameters,
): Promise<PaymentLink> =>
  requestBody(client, {
    operation: operations.createPaymentLink,
    params: {},
    answer: readPaymentLink,
    ...parameters,
  })

/** Parameters of {@link listPaymentLinks}. */
export type ListPaymentLinksParameters = KeyCallParameters & PageParameters

/**
 * Lists the payment links of a project, newest first, page by page.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `orders.read`, …
 */
export const listPaymentLinks = (
  client: Client,
  { page, perPage, ...call }: ListPaymentLinksParameters = {},
): Promise<PaymentLinkList> =>
  requestBody(client, {
    operation: operations.listPaymentLinks,
    params: {},
    query: writeQuery({ page, perPage }),
    answer: readPaymentLinkList,
    ...call,
  })

/** Parameters of {@link getPaymentLink}. */
export type GetPaymentLinkParameters = KeyCallParameters & { paymentLinkId: string }

/**
 * Gets a payment link, with how often it was used.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `orders.read`, …
 */
export const getPaymentLink = (
  client: Client,
  { paymentLinkId, ...call }: GetPaymentLinkParameters,
): Promise<PaymentLink> =>
  requestBody(client, {
    operation: operations.getPaymentLink,
    params: { paymentLinkId },
    answer: readPaymentLink,
    ...call,
  })

/** Parameters of {@link updatePaymentLink}. */
export type UpdatePaymentLinkParameters = KeyCallParameters & {
  paymentLinkId: string
  body: UpdatePaymentLinkBody
}

/**
 * Changes, deactivates or activates a payment link. Orders that buyers have begun can still be paid.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.not-found`, `api.forbidden` without a server key
 * that has `orders.create`, …
 */
export const updatePaymentLink = (
  client: Client,
  { paymentLinkId, ...parameters }: UpdatePaymentLinkParameters,
): Promise<PaymentLink> =>
  requestBody(client, {
    operation: operations.updatePaymentLink,
    params: { paymentLinkId },
    answer: readPaymentLink,
    ...parameters,
  })
