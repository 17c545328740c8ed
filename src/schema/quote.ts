import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { LineItemQuoteStatus, PromotionStatus, QuoteStatus } from './members.js'
import { known, openObject } from './open.js'
import { Price } from './price.js'

/** A time in ISO 8601, such as `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.string()

/**
 * The price of a whole order and its expiry.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Quote = openObject({
  status: known<QuoteStatus>(),
  quotedAt: maybe(Timestamp),
  expiresAt: maybe(Timestamp),
  totalPrice: maybe(Price),
  /** The promotion code of the order, and what became of it: an extension of the interface. */
  promotion: maybe(openObject({ code: z.string(), status: known<PromotionStatus>() })),
})
export type Quote = z.infer<typeof Quote>

/** The price of one line item and its charges. `unit` is price times quantity, before a discount. */
export const LineItemQuote = openObject({
  status: known<LineItemQuoteStatus>(),
  unavailabilityReason: maybe(
    openObject({
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
  allowance: maybe(openObject({ max: z.number(), left: z.number() })),
  /** The rules of its sale when it was quoted: an extension of the interface. Absent without rules. */
  sale: maybe(
    openObject({
      /** When it opens; absent once it is open. */
      startsAt: maybe(Timestamp),
      endsAt: maybe(Timestamp),
      /** The present phase. */
      phase: maybe(
        openObject({ name: z.string(), endsAt: maybe(Timestamp), isForAllowList: maybe(z.boolean()) }),
      ),
      /** The most that one buyer can get, by what a buyer is counted by. */
      maxPerBuyer: maybe(
        openObject({ wallet: maybe(z.number()), email: maybe(z.number()), payer: maybe(z.number()) }),
      ),
      /** Whether there are codes that lower its price. */
      hasPromotionCodes: maybe(z.boolean()),
    }),
  ),
  charges: maybe(
    openObject({
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
