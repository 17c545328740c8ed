import type { PayStep } from '../engine/payment/payStep.js'
import type { KassaErrorCode } from '../errors/index.js'
import type { Amount } from '../schema/index.js'
import type { AuthorizationKind } from '../schema/orderMembers.js'

/** The facts of a payment right before the wallet is asked, without data about the payer. */
export type CheckedFacts = {
  /** The chain by the interface's name. */
  chain: string
  /** Undefined on Solana, which has none. */
  chainId: number | undefined
  /** The contract the transaction is sent to, or on Solana the program that is called. */
  to: string
  /** The final recipient: the order's own account on Solana, the deposit address of a token payment, else `to`. */
  recipient: string
  amount: Amount
  /** The token's contract or mint; undefined when the native currency is paid. */
  token: string | undefined
  /** The requested gas limit as a decimal string; undefined when the wallet decides, or the shop sends the payment. */
  gas: string | undefined
  /** How the buyer signs a payment that the shop sends; undefined for a transaction. */
  authorization?: AuthorizationKind | undefined
  /** The newest block (on Solana: slot) at the successful simulation of the payment, as a decimal string. */
  simulatedAtBlock: string
}

/**
 * An event of a checkout, for analytics. It contains no secret and no address of the buyer.
 *
 * - `payment.step`: the payment changed its step; `code` says why it failed or is uncertain.
 * - `payment.checked`: a payment passed every check, including the app's own, and the wallet is asked next.
 * - `payment.repriced`: the buyer sped the payment up in the wallet.
 * - `quote.refreshed`: the library renewed the quote before it expired.
 *
 * @units `atMs` is in epoch milliseconds.
 */
export type CheckoutEvent =
  | {
      type: 'payment.step'
      orderId: string
      from: PayStep['status']
      to: PayStep['status']
      code?: KassaErrorCode | undefined
      txId?: string | undefined
      atMs: number
    }
  | ({ type: 'payment.checked'; orderId: string; atMs: number } & CheckedFacts)
  | { type: 'payment.repriced'; orderId: string; txId: string; replacedTxId: string; atMs: number }
  | {
      type: 'quote.refreshed'
      orderId: string
      from: Amount | undefined
      to: Amount | undefined
      isPriceChanged: boolean
      atMs: number
    }

/** Calls the app's listener. An error it throws must not fail the payment. */
export const emitEvent = (
  onEvent: ((event: CheckoutEvent) => void) | undefined,
  event: CheckoutEvent,
): void => {
  try {
    onEvent?.(event)
  } catch (error) {
    // Thrown outside the library's call stack, so that the app's own error handling receives it.
    queueMicrotask(() => {
      throw error
    })
  }
}
