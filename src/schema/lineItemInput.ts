import * as z from 'zod/mini'
import { Decimal } from './decimal.js'
import { CollectionLocator } from './locator.js'
import { smallJson } from './smallJson.js'

const Quantity = z
  .int('expected a whole number')
  .check(z.gte(1, 'expected 1 or more'), z.lte(100, 'expected 100 or fewer'))

/**
 * One item to buy, as a client requests it. `quantity`, an extension of the interface, means `callData.quantity`. The `callData` of all line items of an order together is at most
 * 16 KiB of JSON.
 *
 * @units `callData.totalPrice` is a decimal string in the currency of the collection's price; when given, it
 * must equal price times quantity.
 * @source answers.md "Create order, edit order"
 */
export const LineItemInput = z
  .object({
    collectionLocator: CollectionLocator,
    quantity: z.optional(Quantity),
    callData: z.optional(
      z.looseObject({ quantity: z.optional(Quantity), totalPrice: z.optional(Decimal) }).check(smallJson),
    ),
  })
  .check(
    z.refine(
      ({ quantity, callData }) =>
        quantity === undefined || callData?.quantity === undefined || quantity === callData.quantity,
      { path: ['quantity'], error: 'expected the same number as callData.quantity, or only one of the two' },
    ),
  )
export type LineItemInput = z.infer<typeof LineItemInput>
