import * as z from 'zod/mini'
import { Amount } from './amount.js'
import type { PaymentMethod } from './chains.js'
import { maybe } from './maybe.js'
import type {
  ForeignPaymentStatus,
  PaymentFailureCode,
  PaymentStatus,
  PaymentUse,
  RefundCause,
  RefundHoldReason,
} from './members.js'
import { known, openObject, type Unread } from './open.js'
import { Price } from './price.js'
import { Timestamp } from './quote.js'

/** An amount transferred on a chain, and its transaction. */
export const Transfer = openObject({
  ...Amount.shape,
  chain: maybe(z.string()),
  txId: maybe(z.string()),
})
export type Transfer = z.infer<typeof Transfer>

/**
 * What was received for an order: the sum of its payments so far, and the transaction of the last one that paid for it,
 * with the account that sent it and the time of its block. Older services leave out the last two.
 */
export const ReceivedPayment = openObject({
  ...Transfer.shape,
  payerAddress: maybe(z.string()),
  /** ISO 8601. */
  paidAt: maybe(Timestamp),
})
export type ReceivedPayment = z.infer<typeof ReceivedPayment>

const preparationFields = {
  chain: z.string(),
  payerAddress: maybe(z.string()),
  serializedTransaction: maybe(z.string()),
}

/**
 * The payer of an order and the chain, in every status once the payer is known. `serializedTransaction`, the
 * unsigned transaction to sign, is present only while the payment is `awaiting-payment`.
 *
 * @units `serializedTransaction` is the RLP-serialised transaction in hex: EIP-1559 (`0x02…`), or legacy on a
 * chain
 * whose blocks have no base fee. `authorization` is a {@link PreparedAuthorization}.
 * @source interface.md "Order"; answers.md "Order states", "Revised a third time"
 */
export const Preparation = openObject(preparationFields as typeof preparationFields & Unread<'authorization'>)
export type Preparation = z.infer<typeof Preparation>

/**
 * Why a payment did not pay for its order. After `underpaid`, what was paid counts while the quote is valid, and goes
 * back when it ends.
 */
export const PaymentFailure = openObject({
  code: known<PaymentFailureCode>(),
  message: maybe(z.string()),
})
export type PaymentFailure = z.infer<typeof PaymentFailure>

/**
 * The amount of refunds that are not on their way. While `reason` is `contract-payer`, naming `payment.refundAddress`
 * releases them. It is absent from older services.
 */
export const HeldRefund = openObject({
  ...Transfer.shape,
  reason: maybe(known<RefundHoldReason>()),
})
export type HeldRefund = z.infer<typeof HeldRefund>

/**
 * A refund that the payer's account refused, such as a contract that accepts no coins. The payer claims it by
 * calling `claimTo(address)` of `contract` with an address that can receive it.
 */
export const ClaimableRefund = openObject({
  ...Transfer.shape,
  contract: maybe(z.string()),
})
export type ClaimableRefund = z.infer<typeof ClaimableRefund>

/**
 * What was refunded so far, with the transaction of the latest refund, and why. The fee is what accounts cost that were
 * opened for its recipient, which was taken off. Older services do not say why.
 */
export const SentRefund = openObject({
  ...Transfer.shape,
  fee: maybe(Amount),
  /** Each cause of these refunds once. */
  causes: maybe(z.array(known<RefundCause>())),
  /** The merchant's words about the latest refund that they requested. */
  reason: maybe(z.string()),
})
export type SentRefund = z.infer<typeof SentRefund>

/** A transaction that paid for an order, and what it is to the order. */
export const PaymentTransaction = openObject({
  txId: z.string(),
  chain: maybe(z.string()),
  use: known<PaymentUse>(),
})
export type PaymentTransaction = z.infer<typeof PaymentTransaction>

const fields = {
  status: known<PaymentStatus | ForeignPaymentStatus>(),
  method: maybe(known<PaymentMethod>()),
  currency: maybe(z.string()),
  /** The receipt's e-mail address. Only server keys and webhooks receive it. */
  receiptEmail: maybe(z.string()),
  preparation: maybe(Preparation),
  failureReason: maybe(PaymentFailure),
  received: maybe(ReceivedPayment),
  /**
   * The latest transactions that paid. The order can be changed and quoted again while all of them are `returned`.
   * Absent before the first one, and from older services.
   */
  transactions: maybe(z.array(PaymentTransaction)),
  /** What is left to pay of a valid quote, once a part of it was paid. */
  remaining: maybe(Price),
  refunded: maybe(SentRefund),
  /** Where refunds go, if an address was named. Otherwise they go to the account that paid. */
  refundAddress: maybe(z.string()),
  refundHeld: maybe(HeldRefund),
  refundClaimable: maybe(ClaimableRefund),
}

/** How an order is paid, and the payment's status. */
export const Payment = openObject(
  fields as typeof fields &
    Unread<'balances' | 'capture' | 'captureBefore' | 'captureStatus' | 'gas' | 'x402Url'>,
)
export type Payment = z.infer<typeof Payment>
