import * as z from 'zod/mini'
import { Delivery } from './delivery.js'
import { maybe } from './maybe.js'
import { openObject } from './open.js'
import { LineItemQuote } from './quote.js'

/**
 * One item of an order, as the service shows it.
 *
 * @source interface.md "Order"
 */
export const LineItem = openObject({
  chain: maybe(z.string()),
  quantity: maybe(z.number()),
  callData: maybe(z.looseObject({ quantity: maybe(z.number()) })),
  metadata: maybe(
    openObject({
      name: maybe(z.string()),
      description: maybe(z.string()),
      imageUrl: maybe(z.string()),
    }),
  ),
  quote: LineItemQuote,
  delivery: Delivery,
})
export type LineItem = z.infer<typeof LineItem>
