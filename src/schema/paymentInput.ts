import * as z from 'zod/mini'
import type { KnownCurrency, PaymentMethod } from './chains.js'
import { Email } from './email.js'
import { WalletAddress } from './locator.js'
import type { Known, Open } from './open.js'

/** A string whose type is narrower than what is checked: services may know more chains and currencies. */
const named = <Name extends string>(expected: string): z.ZodMiniType<Name, Name> =>
  // The cast is deliberate: the members only serve autocompletion and the compiler.
  z.string().check(z.minLength(1, expected), z.maxLength(64, 'too long')) as unknown as z.ZodMiniType<
    Name,
    Name
  >

/** How a client wants to pay: a chain name and a currency on it. */
export const PaymentInput = z.object({
  method: named<Known<PaymentMethod>>('expected a chain name'),
  currency: named<Open<KnownCurrency>>('expected a currency'),
  payerAddress: z.optional(WalletAddress),
  receiptEmail: z.optional(Email),
  /** Where refunds go. By default they go to the account that paid. */
  refundAddress: z.optional(WalletAddress),
})
export type PaymentInput = z.infer<typeof PaymentInput>

/** How orders of a payment link are paid unless their buyers choose otherwise. */
export const LinkPaymentInput = z.pick(PaymentInput, { method: true, currency: true })

const isRefundAddressAlone = ({
  refundAddress,
  ...others
}: {
  [Field in keyof PaymentInput]?: PaymentInput[Field] | undefined
}): boolean => refundAddress !== undefined && Object.values(others).every((value) => value === undefined)

/** A change of the payment: another way to pay, which replaces the present one, or `refundAddress` alone. */
export const PaymentChange = z
  .partial(PaymentInput, { method: true, currency: true })
  .check(({ value, issues }) => {
    if (isRefundAddressAlone(value)) return
    for (const field of ['method', 'currency'] as const) {
      if (value[field] !== undefined) continue
      issues.push({ code: 'custom', input: value[field], path: [field], message: 'required' })
    }
  })
export type PaymentChange = z.infer<typeof PaymentChange>

/** Whether a change of the payment is another way to pay. */
export const isPaymentInput = (change: PaymentChange): change is PaymentInput => change.method !== undefined

/** Reports the buyer's transaction to the service. */
export const ReportPaymentBody = z.object({
  type: z.literal('crypto-tx-id', 'expected "crypto-tx-id"'),
  txId: z.string().check(z.minLength(1, 'expected a transaction id'), z.maxLength(128, 'too long')),
})
export type ReportPaymentBody = z.infer<typeof ReportPaymentBody>
