import type {
  OrderSummary,
  OrderTimeline,
  ResendWebhookBody,
  ResentMail,
  ResentWebhook,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import {
  readOrderSummary,
  readOrderTimeline,
  readResentMail,
  readResentWebhook,
} from '../schema/refundReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link getTimeline}. */
export type GetTimelineParameters = KeyCallParameters & { orderId: string }

/**
 * Lists what happened to an order, oldest first: its quotes, payments, refunds, shipments, e-mails and webhooks.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `orders.read`, …
 */
export const getTimeline = (
  client: Client,
  { orderId, ...call }: GetTimelineParameters,
): Promise<OrderTimeline> =>
  requestBody(client, {
    operation: operations.getTimeline,
    params: { orderId },
    answer: readOrderTimeline,
    ...call,
  })

/** Parameters of {@link resendMail}. */
export type ResendMailParameters = KeyCallParameters & {
  orderId: string
  /** The `mailId` of an entry of the order's timeline. */
  mailId: string
  /** Within 24 hours, the same key returns the first answer instead of sending twice. */
  idempotencyKey?: string | undefined
}

/**
 * Sends an e-mail about an order once more, to the same address and with the same content.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `mails.send`, …
 */
export const resendMail = (
  client: Client,
  { orderId, mailId, ...call }: ResendMailParameters,
): Promise<ResentMail> =>
  requestBody(client, {
    operation: operations.resendMail,
    params: { orderId, mailId },
    body: {},
    answer: readResentMail,
    ...call,
  })

/** Parameters of {@link resendOrderWebhook}. */
export type ResendOrderWebhookParameters = KeyCallParameters & {
  orderId: string
  /** The `eventId` of an entry of the order's timeline. */
  eventId: string
  /** With an `endpointId`, only that endpoint gets it again. */
  body?: ResendWebhookBody | undefined
  /** Within 24 hours, the same key and body return the first answer instead of sending twice. */
  idempotencyKey?: string | undefined
}

/**
 * Sends a webhook event about an order once more, from the first attempt, with the same `webhook-id`.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.send`, …
 */
export const resendOrderWebhook = (
  client: Client,
  { orderId, eventId, body = {}, ...call }: ResendOrderWebhookParameters,
): Promise<ResentWebhook> =>
  requestBody(client, {
    operation: operations.resendOrderWebhook,
    params: { orderId, eventId },
    body,
    answer: readResentWebhook,
    ...call,
  })

/** Parameters of {@link getSummary}. */
export type GetSummaryParameters = KeyCallParameters & {
  /** ISO 8601; by default, 24 hours ago. */
  since?: string | undefined
}

/**
 * Sums up the orders and sales of a project since a time, and what needs a person: payments to capture, refunds that
 * wait for a decision, parcels, deliveries that the chain refuses, webhook endpoints that fail or keep failing, and
 * e-mails that are not sent.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `orders.read`, …
 */
export const getSummary = (
  client: Client,
  { since, ...call }: GetSummaryParameters = {},
): Promise<OrderSummary> =>
  requestBody(client, {
    operation: operations.getSummary,
    params: {},
    query: writeQuery({ since }),
    answer: readOrderSummary,
    ...call,
  })
