import * as z from 'zod/mini'
import { Amount } from './amount.js'
import type { PaymentMethod } from './chains.js'
import { maybe } from './maybe.js'
import { known, openObject } from './open.js'
import { Price } from './price.js'

/**
 * One way to pay an order: a currency on a chain, what it costs there, and whether the payer holds enough.
 *
 * @units all amounts are decimal strings in whole units of their currency
 * @source answers.md "Revised again"
 */
export const QuotedPaymentOption = openObject({
  /** The chain by the interface's name: `payment.method` of an order that is paid this way. */
  chain: known<PaymentMethod>(),
  currency: z.string(),
  /** What the buyer pays, exactly. */
  amount: z.string(),
  /** The worth of `amount` in US dollars, where a rate is known. */
  fiat: maybe(Amount),
  /** The most that the network may charge, 0 if others pay it; `null` while the chain does not answer. */
  networkFee: z.nullable(Price),
  /** What the payer holds of the currency; `null` without a payer, and while the chain does not answer. */
  balance: z.nullable(z.string()),
  /** Whether the payer holds enough for the amount and the network fee; `null` where that is unknown. */
  sufficient: z.nullable(z.boolean()),
  /** What the payer lacks, in each currency that falls short. */
  missing: maybe(z.array(Amount)),
})
export type QuotedPaymentOption = z.infer<typeof QuotedPaymentOption>

/** The ways to pay an order. */
export const PaymentOptionList = z.array(QuotedPaymentOption)
export type PaymentOptionList = z.infer<typeof PaymentOptionList>
