import * as z from 'zod/mini'
import { Amount } from './amount.js'
import { Decimal } from './decimal.js'
import { LineItemRefs } from './lineItemRefs.js'
import { maybe } from './maybe.js'
import type { RefundCause, RefundStatus } from './members.js'
import { known, openObject } from './open.js'
import { text } from './text.js'

/**
 * A merchant's request to refund an order: everything that is left, some line items, or an amount. Any other field
 * is refused, because ignoring one would refund everything.
 *
 * @units `amount` is a decimal string in the currency that was paid
 */
export const CreateRefundBody = z
  .strictObject({
    lineItems: z.optional(LineItemRefs),
    amount: z.optional(Decimal.check(z.refine((amount) => /[1-9]/.test(amount), 'expected more than 0'))),
    reason: z.optional(text(500)),
  })
  .check(
    z.refine(({ lineItems, amount }) => lineItems === undefined || amount === undefined, {
      error: 'expected line items or an amount, not both',
      path: ['amount'],
    }),
  )
export type CreateRefundBody = z.infer<typeof CreateRefundBody>

/**
 * The refund of all or part of one payment of an order to its payer.
 *
 * @units `amount` and `lineItems[].amount` are decimal strings in `currency`
 */
export const Refund = openObject({
  refundId: z.string(),
  orderId: z.string(),
  status: known<RefundStatus>(),
  /** Why it is due. `requested` is a refund by the merchant. */
  cause: known<RefundCause>(),
  /** The merchant's words. */
  reason: maybe(z.string()),
  amount: z.string(),
  currency: z.string(),
  chain: z.string(),
  /** The payer, who receives it. */
  recipient: maybe(z.string()),
  /** The parts of line items' prices that the merchant refunded. */
  lineItems: maybe(z.array(openObject({ index: z.number(), amount: z.string() }))),
  txId: maybe(z.string()),
  /** Where it waits for its payer, if it is `claimable`. */
  contract: maybe(z.string()),
  /** What the account cost that was opened for the recipient, if that was taken off the amount. */
  fee: maybe(Amount),
  /** Says that the delivered tokens stay with their holder. */
  note: maybe(z.string()),
  createdAt: maybe(z.string()),
})
export type Refund = z.infer<typeof Refund>

/** A page of an order's refunds, oldest first: the merchant's, and those that the service owes by its own rules. */
export const RefundList = openObject({ data: z.array(Refund) })
export type RefundList = z.infer<typeof RefundList>

/**
 * What became of the payments that an order accepted. Server keys and webhooks receive it as `payment.balances`.
 *
 * @units decimal strings in the currency that was paid
 */
export const PaymentBalances = openObject({
  /** The accepted payments. */
  captured: z.string(),
  /** What was refunded of them, sent or on its way. */
  refunded: z.string(),
  /** What the merchant can refund of them now. */
  refundable: z.string(),
})
export type PaymentBalances = z.infer<typeof PaymentBalances>
