import * as z from 'zod/mini'
import { Delivery } from './delivery.js'
import { LineItemQuote } from './quote.js'

/**
 * One thing in an order, as the service shows it.
 *
 * @source interface.md "Order"
 */
export const LineItem = z.looseObject({
  chain: z.optional(z.string()),
  quantity: z.optional(z.number()),
  callData: z.optional(z.looseObject({ quantity: z.optional(z.number()) })),
  metadata: z.optional(
    z.looseObject({
      name: z.optional(z.string()),
      description: z.optional(z.string()),
      imageUrl: z.optional(z.string()),
    }),
  ),
  quote: LineItemQuote,
  delivery: Delivery,
})
export type LineItem = z.infer<typeof LineItem>
