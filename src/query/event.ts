import type { KassaErrorCode } from '../errors/index.js'
import type { Amount } from '../schema/index.js'
import type { PayStep } from './payStep.js'

/**
 * What happened in a checkout, for analytics. It holds no secret and no address of the buyer.
 *
 * - `payment.step`: the payment moved; `code` says why it failed or is uncertain.
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
