import * as z from 'zod/mini'
import { Amount } from './amount.js'
import { WalletAddress } from './locator.js'
import { foreignPaymentStatuses, paymentFailureCodes, paymentStatuses } from './members.js'
import { open } from './open.js'

/** Money that moved on a chain, and the transaction that moved it. */
export const Transfer = z.looseObject({
  ...Amount.shape,
  chain: z.optional(z.string()),
  txId: z.optional(z.string()),
})
export type Transfer = z.infer<typeof Transfer>

/**
 * The unsigned transaction that pays for an order.
 *
 * @units `serializedTransaction` is the RLP-serialised EIP-1559 transaction in hex (`0x02…`).
 * @source interface.md "Order"; answers.md "Order states"
 */
export const Preparation = z.looseObject({
  chain: z.string(),
  payerAddress: z.optional(z.string()),
  serializedTransaction: z.optional(z.string()),
})
export type Preparation = z.infer<typeof Preparation>

/** How an order is paid, and how far that is. */
export const Payment = z.looseObject({
  status: open([...paymentStatuses, ...foreignPaymentStatuses]),
  method: z.optional(z.string()),
  currency: z.optional(z.string()),
  preparation: z.optional(Preparation),
  failureReason: z.optional(
    z.looseObject({ code: open(paymentFailureCodes), message: z.optional(z.string()) }),
  ),
  received: z.optional(Transfer),
  refunded: z.optional(Transfer),
})
export type Payment = z.infer<typeof Payment>

/** What a client says of how it wants to pay: a chain name and a currency on it. */
export const PaymentInput = z.object({
  method: z.string().check(z.minLength(1, 'expected a chain name')),
  currency: z.string().check(z.minLength(1, 'expected a currency')),
  payerAddress: z.optional(WalletAddress),
  receiptEmail: z.optional(z.email('expected an e-mail address')),
})
export type PaymentInput = z.infer<typeof PaymentInput>

/** Tells the service which transaction the buyer sent. */
export const ReportPaymentBody = z.object({
  type: z.literal('crypto-tx-id', 'expected "crypto-tx-id"'),
  txId: z.string().check(z.minLength(1, 'expected a transaction id'), z.maxLength(128, 'too long')),
})
export type ReportPaymentBody = z.infer<typeof ReportPaymentBody>
