import * as z from 'zod/mini'
import { LineItemRefs } from './lineItemRefs.js'
import { maybe } from './maybe.js'
import type { ShipmentStatus } from './members.js'
import { known, openObject } from './open.js'
import { text } from './text.js'

/** Whether a text is the address of a page that a buyer may be sent to: https, without a user name in it. */
const isSafeLink = (value: string): boolean => {
  if (/\s/.test(value) || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return protocol === 'https:' && username === '' && password === ''
}

const name = (what: string) =>
  z
    .string()
    .check(z.trim(), z.minLength(1, `expected ${what}`), z.maxLength(100, 'expected 100 characters or fewer'))

/**
 * Marks line items of an order as shipped: without `lineItems`, all that are not shipped yet. Any other field is
 * refused, because ignoring one would ship everything.
 */
export const CreateShipmentBody = z.strictObject({
  /** The carrier, as the buyer is told it. */
  carrier: name('the name of a carrier'),
  trackingNumber: z.optional(name('a tracking number')),
  /** The carrier's page about the parcel. */
  trackingUrl: z.optional(
    z
      .string()
      .check(
        z.maxLength(2048, 'expected 2048 characters or fewer'),
        z.refine(isSafeLink, 'expected an https:// URL'),
      ),
  ),
  lineItems: z.optional(LineItemRefs),
})
export type CreateShipmentBody = z.infer<typeof CreateShipmentBody>

/** Takes back that line items were shipped. */
export const CancelShipmentBody = z.strictObject({ reason: z.optional(text(500)) })
export type CancelShipmentBody = z.infer<typeof CancelShipmentBody>

/** A parcel with line items of an order. A cancelled one stays in the list: it was reported by mistake. */
export const Shipment = openObject({
  shipmentId: z.string(),
  orderId: z.string(),
  status: known<ShipmentStatus>(),
  carrier: z.string(),
  trackingNumber: maybe(z.string()),
  /** The carrier's page about the parcel. The service takes https alone; check it before you link to it. */
  trackingUrl: maybe(z.string()),
  lineItems: z.array(openObject({ index: z.number() })),
  /** ISO 8601. */
  shippedAt: z.string(),
  /** ISO 8601; absent unless it is cancelled. */
  cancelledAt: maybe(z.string()),
  /** Why the merchant cancelled it. Only server keys and webhooks receive it. */
  reason: maybe(z.string()),
})
export type Shipment = z.infer<typeof Shipment>

/** The shipments of an order, oldest first. An order has this field once a shipment was created. */
export const OrderShipments = openObject({ shipments: maybe(z.array(Shipment)) })
export type OrderShipments = z.infer<typeof OrderShipments>
