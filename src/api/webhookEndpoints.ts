import {
  readWebhookDelivery,
  readWebhookDeliveryList,
  readWebhookEndpoint,
  readWebhookEndpointList,
  readWebhookEndpointSecret,
} from '../schema/developerReaders.js'
import type {
  CreateWebhookEndpointBody,
  RotateWebhookSecretBody,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

type Repeatable = {
  /** Within 24 hours, the same key and body return the first answer instead of acting twice. */
  idempotencyKey?: string | undefined
}

/** Parameters of {@link listWebhookEndpoints}. */
export type ListWebhookEndpointsParameters = KeyCallParameters & PageParameters

/**
 * Lists the webhook endpoints of a project, oldest first, page by page. Secrets are not shown.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `webhooks.read`, …
 */
export const listWebhookEndpoints = (
  client: Client,
  { page, perPage, ...call }: ListWebhookEndpointsParameters = {},
): Promise<WebhookEndpointList> =>
  requestBody(client, {
    operation: operations.listWebhookEndpoints,
    params: {},
    query: writeQuery({ page, perPage }),
    answer: readWebhookEndpointList,
    ...call,
  })

/** Parameters of {@link createWebhookEndpoint}. */
export type CreateWebhookEndpointParameters = KeyCallParameters &
  Repeatable & { body: CreateWebhookEndpointBody }

/**
 * Creates a webhook endpoint, which receives a project's events from now on. The answer contains the secret that signs
 * them, which is shown only this once.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.forbidden` without a server key that has
 * `webhooks.manage`, …
 */
export const createWebhookEndpoint = (
  client: Client,
  { body, ...call }: CreateWebhookEndpointParameters,
): Promise<WebhookEndpointSecret> =>
  requestBody(client, {
    operation: operations.createWebhookEndpoint,
    params: {},
    answer: readWebhookEndpointSecret,
    body,
    ...call,
  })

/** Parameters of {@link getWebhookEndpoint}. */
export type GetWebhookEndpointParameters = KeyCallParameters & { endpointId: string }

/**
 * Gets a webhook endpoint, without its secret.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.read`, …
 */
export const getWebhookEndpoint = (
  client: Client,
  { endpointId, ...call }: GetWebhookEndpointParameters,
): Promise<WebhookEndpoint> =>
  requestBody(client, {
    operation: operations.getWebhookEndpoint,
    params: { endpointId },
    answer: readWebhookEndpoint,
    ...call,
  })

/** Parameters of {@link updateWebhookEndpoint}. */
export type UpdateWebhookEndpointParameters = KeyCallParameters & {
  endpointId: string
  body: UpdateWebhookEndpointBody
}

/**
 * Changes the URL or the event types of a webhook endpoint, or disables or enables it. What waits to be delivered to an
 * endpoint when it is disabled has failed, and can be sent again later.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.not-found`, `api.forbidden` without a server key
 * that has `webhooks.manage`, …
 */
export const updateWebhookEndpoint = (
  client: Client,
  { endpointId, body, ...call }: UpdateWebhookEndpointParameters,
): Promise<WebhookEndpoint> =>
  requestBody(client, {
    operation: operations.updateWebhookEndpoint,
    params: { endpointId },
    answer: readWebhookEndpoint,
    body,
    ...call,
  })

/** Parameters of {@link removeWebhookEndpoint}. */
export type RemoveWebhookEndpointParameters = KeyCallParameters & { endpointId: string }

/**
 * Removes a webhook endpoint. It receives nothing more, and its secrets are deleted.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.manage`, …
 */
export const removeWebhookEndpoint = (
  client: Client,
  { endpointId, ...call }: RemoveWebhookEndpointParameters,
): Promise<WebhookEndpoint> =>
  requestBody(client, {
    operation: operations.removeWebhookEndpoint,
    params: { endpointId },
    answer: readWebhookEndpoint,
    ...call,
  })

/** Parameters of {@link rotateWebhookSecret}. */
export type RotateWebhookSecretParameters = KeyCallParameters &
  Repeatable & {
    endpointId: string
    /** For how long events are also signed with the old secret, by default 24 hours. */
    body?: RotateWebhookSecretBody | undefined
  }

/**
 * Gives a webhook endpoint a new secret, which is shown only this once.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.manage`, …
 */
export const rotateWebhookSecret = (
  client: Client,
  { endpointId, body = {}, ...call }: RotateWebhookSecretParameters,
): Promise<WebhookEndpointSecret> =>
  requestBody(client, {
    operation: operations.rotateWebhookSecret,
    params: { endpointId },
    answer: readWebhookEndpointSecret,
    body,
    ...call,
  })

/** Parameters of {@link sendTestEvent}. */
export type SendTestEventParameters = KeyCallParameters & Repeatable & { endpointId: string }

/**
 * Sends an event of the type `webhooks.test` to a webhook endpoint, whatever types it receives.
 *
 * @returns The delivery, which the service begins.
 * @throws {@link KassaError} `api.conflict` if it is disabled, `api.not-found`, `api.forbidden` without a server key
 * that has `webhooks.manage`, …
 */
export const sendTestEvent = (
  client: Client,
  { endpointId, ...call }: SendTestEventParameters,
): Promise<WebhookDelivery> =>
  requestBody(client, {
    operation: operations.sendTestEvent,
    params: { endpointId },
    body: {},
    answer: readWebhookDelivery,
    ...call,
  })

/** Parameters of {@link listWebhookDeliveries}. */
export type ListWebhookDeliveriesParameters = KeyCallParameters & PageParameters & { endpointId: string }

/**
 * Lists the deliveries of events to a webhook endpoint, newest event first, page by page.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.read`, …
 */
export const listWebhookDeliveries = (
  client: Client,
  { endpointId, page, perPage, ...call }: ListWebhookDeliveriesParameters,
): Promise<WebhookDeliveryList> =>
  requestBody(client, {
    operation: operations.listWebhookDeliveries,
    params: { endpointId },
    query: writeQuery({ page, perPage }),
    answer: readWebhookDeliveryList,
    ...call,
  })

/** Parameters of {@link getWebhookDelivery}. */
export type GetWebhookDeliveryParameters = KeyCallParameters & { endpointId: string; eventId: string }

/**
 * Gets the delivery of an event to a webhook endpoint, with the body that it receives and the last attempts.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `webhooks.read`, …
 */
export const getWebhookDelivery = (
  client: Client,
  { endpointId, eventId, ...call }: GetWebhookDeliveryParameters,
): Promise<WebhookDelivery> =>
  requestBody(client, {
    operation: operations.getWebhookDelivery,
    params: { endpointId, eventId },
    answer: readWebhookDelivery,
    ...call,
  })

/** Parameters of {@link resendWebhook}. */
export type ResendWebhookParameters = KeyCallParameters & Repeatable & { endpointId: string; eventId: string }

/**
 * Sends an event to a webhook endpoint once more, under its `webhook-id`.
 *
 * @returns The delivery, which the service begins.
 * @throws {@link KassaError} `api.conflict` if the endpoint is disabled or removed, `api.not-found`, `api.forbidden`
 * without a server key that has `webhooks.manage`, …
 */
export const resendWebhook = (
  client: Client,
  { endpointId, eventId, ...call }: ResendWebhookParameters,
): Promise<WebhookDelivery> =>
  requestBody(client, {
    operation: operations.resendWebhook,
    params: { endpointId, eventId },
    body: {},
    answer: readWebhookDelivery,
    ...call,
  })
