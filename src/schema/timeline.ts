import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { TimelineKind } from './members.js'
import { known, openObject } from './open.js'

/**
 * Something that happened to an order.
 *
 * @units `amount` is a decimal string in `currency`
 */
export const TimelineEntry = openObject({
  type: known<TimelineKind>(),
  /** ISO 8601. Of a payment, the time of its block. */
  at: z.string(),
  /** How it stands: of a payment, a refund, a shipment, a quote, an e-mail or a webhook. */
  status: maybe(z.string()),
  chain: maybe(z.string()),
  txId: maybe(z.string()),
  payer: maybe(z.string()),
  amount: maybe(z.string()),
  currency: maybe(z.string()),
  refundId: maybe(z.string()),
  shipmentId: maybe(z.string()),
  /** The kind of e-mail, or the type of the webhook event. */
  kind: maybe(z.string()),
  mailId: maybe(z.string()),
  /** The address that an e-mail goes to. */
  recipient: maybe(z.string()),
  /** The webhook event and the endpoint that it goes to. */
  eventId: maybe(z.string()),
  endpointId: maybe(z.string()),
  attempts: maybe(z.number()),
  /** Why the last attempt at a webhook failed. */
  failure: maybe(z.string()),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** What happened to an order, oldest first. */
export const OrderTimeline = openObject({ data: z.array(TimelineEntry) })
export type OrderTimeline = z.infer<typeof OrderTimeline>
