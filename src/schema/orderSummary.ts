import * as z from 'zod/mini'
import { maybe } from './maybe.js'

/**
 * The orders and sales of a project since a time, and what needs a person.
 *
 * @units `sales[].amount` is a decimal string in `sales[].currency`
 */
export const OrderSummary = z.looseObject({
  /** ISO 8601. */
  since: z.string(),
  /** How many orders created since then are in each phase. */
  orders: z.looseObject({
    quote: z.number(),
    payment: z.number(),
    delivery: z.number(),
    completed: z.number(),
  }),
  /** What those that are paid cost in total, refunds included, by chain and currency. */
  sales: z.array(
    z.looseObject({ chain: z.string(), currency: z.string(), amount: z.string(), orders: z.number() }),
  ),
  attention: z.looseObject({
    /** The paid orders that wait for their capture, the 100 that go back first. */
    captures: z.array(z.looseObject({ orderId: z.string(), captureBefore: z.string() })),
    /** The refunds that wait for a decision, the oldest 100. `status` is `held`, `failed` or `credited`. */
    refunds: z.array(z.looseObject({ orderId: z.string(), status: z.string(), reason: maybe(z.string()) })),
    /** The endpoints to which events could not be delivered, and how many. */
    webhooks: z.array(z.looseObject({ endpointId: z.string(), url: z.string(), failed: z.number() })),
  }),
})
export type OrderSummary = z.infer<typeof OrderSummary>
