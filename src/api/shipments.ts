import type { CancelShipmentBody, CreateShipmentBody, Shipment } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readShipment } from '../schema/refundReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createShipment}. */
export type CreateShipmentParameters = KeyCallParameters & {
  orderId: string
  body: CreateShipmentBody
  /** Within 24 hours, the same key and body return the first answer. */
  idempotencyKey?: string | undefined
}

/**
 * Marks line items of a paid order with a shipping address as shipped: without `lineItems`, all that are not shipped
 * yet. The buyer gets an e-mail.
 *
 * @throws {@link KassaError} `api.conflict` saying why they cannot be shipped, `api.bad-request` naming the field,
 * `api.forbidden` without a server key that has `orders.ship`, …
 */
export const createShipment = (
  client: Client,
  { orderId, ...call }: CreateShipmentParameters,
): Promise<Shipment> =>
  requestBody(client, {
    operation: operations.createShipment,
    params: { orderId },
    answer: readShipment,
    ...call,
  })

/** Parameters of {@link cancelShipment}. */
export type CancelShipmentParameters = KeyCallParameters & {
  orderId: string
  shipmentId: string
  body?: CancelShipmentBody | undefined
  /** Within 24 hours, the same key and body return the first answer. */
  idempotencyKey?: string | undefined
}

/**
 * Takes back a shipment that was reported by mistake, and tells the buyer. Its line items can be shipped again.
 * Cancelling it again changes nothing.
 *
 * @throws {@link KassaError} `api.not-found`, `api.forbidden` without a server key that has `orders.ship`, …
 */
export const cancelShipment = (
  client: Client,
  { orderId, shipmentId, body = {}, ...call }: CancelShipmentParameters,
): Promise<Shipment> =>
  requestBody(client, {
    operation: operations.cancelShipment,
    params: { orderId, shipmentId },
    body,
    answer: readShipment,
    ...call,
  })
