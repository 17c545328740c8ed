import type { Address } from 'viem'
import type { KassaErrorCode } from '../errors/index.js'
import type { Amount } from '../schema/index.js'
import type { PayStep } from './payStep.js'

/** What is known of a payment right before the wallet is asked; of the payer nothing. */
export type CheckedFacts = {
  /** The chain by the interface's name. */
  chain: string
  chainId: number
  /** The contract the transaction is sent to. */
  to: Address
  /** Who has the money in the end: the deposit address of a token payment, else `to`. */
  recipient: Address
  amount: Amount
  /** The token's contract; undefined when the native currency is paid. */
  token: Address | undefined
  /** The limit asked for, as a decimal string; undefined where the wallet decides. */
  gas: string | undefined
  /** The newest block when the payment was tried without being sent, and did not revert, as a decimal string. */
  simulatedAtBlock: string
}

/**
 * What happened in a checkout, for analytics. It holds no secret and no address of the buyer.
 *
 * - `payment.step`: the payment moved; `code` says why it failed or is uncertain.
 * - `payment.checked`: a payment passed every check, the app's own among them, and the wallet is asked for it next.
 * - `payment.repriced`: the buyer sped the payment up in the wallet.
 * - `quote.refreshed`: the library renewed the quote before it ran out.
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

/** Tells an app's listener, whose own failure must not become the payment's. */
export const emitEvent = (
  onEvent: ((event: CheckoutEvent) => void) | undefined,
  event: CheckoutEvent,
): void => {
  try {
    onEvent?.(event)
  } catch (error) {
    // Thrown where nobody of ours stands, so that the app's own error handling hears of it.
    queueMicrotask(() => {
      throw error
    })
  }
}
