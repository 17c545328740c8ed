import * as z from 'zod/mini'
import { Amount } from './amount.js'
import type { LineItemQuoteStatus, QuoteStatus } from './members.js'
import { open } from './open.js'

/** When something happened: ISO 8601, such as `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.string()

/**
 * The price of a whole order and how long it holds.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Quote = z.looseObject({
  status: open<QuoteStatus>(),
  quotedAt: z.optional(Timestamp),
  expiresAt: z.optional(Timestamp),
  totalPrice: z.optional(Amount),
})
export type Quote = z.infer<typeof Quote>

/** The price of one line item, and what it is made of. `unit` is price times quantity. */
export const LineItemQuote = z.looseObject({
  status: open<LineItemQuoteStatus>(),
  unavailabilityReason: z.optional(z.looseObject({ code: z.string(), message: z.optional(z.string()) })),
  charges: z.optional(
    z.looseObject({
      unit: z.optional(Amount),
      salesTax: z.optional(Amount),
      shipping: z.optional(Amount),
    }),
  ),
  totalPrice: z.optional(Amount),
})
export type LineItemQuote = z.infer<typeof LineItemQuote>
