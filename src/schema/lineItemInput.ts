import * as z from 'zod/mini'
import { Decimal } from './decimal.js'
import { CollectionLocator } from './locator.js'
import { smallJson } from './smallJson.js'

/**
 * One item to buy, as a client requests it. The `callData` of all line items of an order together is at most
 * 16 KiB of JSON.
 *
 * @units `callData.totalPrice` is a decimal string in the currency of the collection's price; when given, it
 * must equal price times quantity.
 * @source answers.md "Create order, edit order"
 */
export const LineItemInput = z.object({
  collectionLocator: CollectionLocator,
  callData: z.optional(
    z
      .looseObject({
        quantity: z.optional(
          z
            .int('expected a whole number')
            .check(z.gte(1, 'expected 1 or more'), z.lte(100, 'expected 100 or fewer')),
        ),
        totalPrice: z.optional(Decimal),
      })
      .check(smallJson),
  ),
})
export type LineItemInput = z.infer<typeof LineItemInput>
