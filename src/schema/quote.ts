import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { LineItemQuoteStatus, PromotionStatus, QuoteStatus } from './members.js'
import { known } from './open.js'
import { Price } from './price.js'

/** A time in ISO 8601, such as `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.string()

/**
 * The price of a whole order and its expiry.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Quote = z.looseObject({
  status: known<QuoteStatus>(),
  quotedAt: maybe(Timestamp),
  expiresAt: maybe(Timestamp),
  totalPrice: maybe(Price),
  /** The promotion code of the order, and what became of it: an extension of the interface. */
  promotion: maybe(z.looseObject({ code: z.string(), status: known<PromotionStatus>() })),
})
export type Quote = z.infer<typeof Quote>

/** The price of one line item and its charges. `unit` is price times quantity, before a discount. */
export const LineItemQuote = z.looseObject({
  status: known<LineItemQuoteStatus>(),
  unavailabilityReason: maybe(
    z.looseObject({
      code: z.string(),
      message: maybe(z.string()),
      /** When its sale opens, if that is the reason: an extension of the interface. */
      availableAt: maybe(Timestamp),
    }),
  ),
  /** How many could be bought when it was quoted; absent if the supply has no limit. */
  available: maybe(z.number()),
  /**
   * How many the buyer may have in all, and how many of them are left: an extension of the interface. Absent without
   * a limit for each buyer.
   */
  allowance: maybe(z.looseObject({ max: z.number(), left: z.number() })),
  charges: maybe(
    z.looseObject({
      unit: maybe(Price),
      salesTax: maybe(Price),
      shipping: maybe(Price),
      /** What a promotion code takes off `unit`: an extension of the interface. */
      discount: maybe(Price),
    }),
  ),
  totalPrice: maybe(Price),
})
export type LineItemQuote = z.infer<typeof LineItemQuote>
