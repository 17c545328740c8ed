import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import { openObject } from './open.js'

/**
 * The orders and sales of a project since a time, and what needs a person.
 *
 * @units `sales[].amount`, `refunded` and `net` are decimal strings in `sales[].currency`
 */
export const OrderSummary = openObject({
  /** ISO 8601. */
  since: z.string(),
  /** How many orders created since then are in each phase. */
  orders: openObject({
    quote: z.number(),
    payment: z.number(),
    delivery: z.number(),
    completed: z.number(),
  }),
  /**
   * What those that are paid cost in total, by chain and currency: gross, what was refunded of it, and net. A payment
   * that is not captured, or was voided, is no sale. A refund counts as soon as it is decided.
   */
  sales: z.array(
    openObject({
      chain: z.string(),
      currency: z.string(),
      amount: z.string(),
      refunded: maybe(z.string()),
      net: maybe(z.string()),
      orders: z.number(),
    }),
  ),
  attention: openObject({
    /** The paid orders that wait for their capture, the 100 that go back first. */
    captures: z.array(openObject({ orderId: z.string(), captureBefore: z.string() })),
    /** The refunds that wait for a decision, the oldest 100. `status` is `held`, `failed` or `credited`. */
    refunds: z.array(openObject({ orderId: z.string(), status: z.string(), reason: maybe(z.string()) })),
    /** The endpoints to which events could not be delivered, and how many. */
    webhooks: z.array(openObject({ endpointId: z.string(), url: z.string(), failed: z.number() })),
    /** The enabled endpoints that refused an event three times or more, and how many events wait to be sent again. */
    failingWebhooks: maybe(
      z.array(openObject({ endpointId: z.string(), url: z.string(), waiting: z.number() })),
    ),
    /** The sold orders with line items to ship, the oldest 100, and how many line items. */
    parcels: maybe(z.array(openObject({ orderId: z.string(), lineItems: z.number() }))),
    /** The orders of whose line items the chain refused the mint three times or more, the oldest 100. */
    deliveries: maybe(z.array(openObject({ orderId: z.string(), attempts: z.number() }))),
    /** The e-mails that were due an hour ago and are not sent, the oldest 100. */
    mails: maybe(
      z.array(
        openObject({
          orderId: maybe(z.string()),
          kind: z.string(),
          recipient: z.string(),
          createdAt: z.string(),
        }),
      ),
    ),
  }),
})
export type OrderSummary = z.infer<typeof OrderSummary>
