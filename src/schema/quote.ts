import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { LineItemQuoteStatus, QuoteStatus } from './members.js'
import { open } from './open.js'
import { Price } from './price.js'

/** A time in ISO 8601, such as `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.string()

/**
 * The price of a whole order and its expiry.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Quote = z.looseObject({
  status: open<QuoteStatus>(),
  quotedAt: maybe(Timestamp),
  expiresAt: maybe(Timestamp),
  totalPrice: maybe(Price),
})
export type Quote = z.infer<typeof Quote>

/** The price of one line item and its charges. `unit` is price times quantity. */
export const LineItemQuote = z.looseObject({
  status: open<LineItemQuoteStatus>(),
  unavailabilityReason: maybe(z.looseObject({ code: z.string(), message: maybe(z.string()) })),
  charges: maybe(
    z.looseObject({
      unit: maybe(Price),
      salesTax: maybe(Price),
      shipping: maybe(Price),
    }),
  ),
  totalPrice: maybe(Price),
})
export type LineItemQuote = z.infer<typeof LineItemQuote>
