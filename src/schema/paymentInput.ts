import * as z from 'zod/mini'
import { Email } from './email.js'
import { WalletAddress } from './locator.js'

/** How a client wants to pay: a chain name and a currency on it. */
export const PaymentInput = z.object({
  method: z.string().check(z.minLength(1, 'expected a chain name'), z.maxLength(64, 'too long')),
  currency: z.string().check(z.minLength(1, 'expected a currency'), z.maxLength(64, 'too long')),
  payerAddress: z.optional(WalletAddress),
  receiptEmail: z.optional(Email),
})
export type PaymentInput = z.infer<typeof PaymentInput>

/** Reports the buyer's transaction to the service. */
export const ReportPaymentBody = z.object({
  type: z.literal('crypto-tx-id', 'expected "crypto-tx-id"'),
  txId: z.string().check(z.minLength(1, 'expected a transaction id'), z.maxLength(128, 'too long')),
})
export type ReportPaymentBody = z.infer<typeof ReportPaymentBody>
