import * as z from 'zod/mini'
import type { PaymentMethod } from './chains.js'
import { maybe } from './maybe.js'
import { known, openObject } from './open.js'

/** A chain that new orders can be paid on, with the currencies that are accepted there. */
export const AcceptedPaymentMethod = openObject({
  /** `payment.method` of an order that is paid on it. */
  method: known<PaymentMethod>(),
  /** The native currency first. A collection may accept fewer. */
  currencies: z.array(
    openObject({
      /** `payment.currency` of an order that is paid in it. */
      currency: z.string(),
      decimals: z.number(),
      /** The token's contract, or its mint account on Solana; absent for the native currency. */
      contractAddress: maybe(z.string()),
    }),
  ),
})
export type AcceptedPaymentMethod = z.infer<typeof AcceptedPaymentMethod>

/** The chains that new orders can be paid on. */
export const PaymentMethodList = z.array(AcceptedPaymentMethod)
export type PaymentMethodList = z.infer<typeof PaymentMethodList>
