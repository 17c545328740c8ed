import type { DeliveredToken } from '../../schema/delivery.js'
import type { PaymentFailureCode, RefundCause, RefundHoldReason } from '../../schema/orderMembers.js'
import type {
  FundsCheck,
  OrderState,
  PaymentState,
  QuotedTerms,
  RefundRequest,
  ShipmentState,
} from './order.js'

/**
 * The order after an event, and the effects to run. An event that changes nothing returns the same object.
 */
export type Transition = { order: OrderState; effects: OrderEffect[] }

/** Returns the transition of an event that cannot happen to this order now. */
export const unchanged = (order: OrderState): Transition => ({ order, effects: [] })

/** Why a transaction that the buyer reported did not pay. */
export type ReportedFailure = Extract<PaymentFailureCode, 'insufficient-funds' | 'tx-id-not-found'>

/** An event of an order. */
export type OrderEvent =
  | { type: 'quoted'; terms: QuotedTerms }
  | { type: 'funds-checked'; funds: FundsCheck }
  | {
      type: 'time-passed'
      /**
       * The time of the last final block in which payments were looked for. No payment that was mined up to then
       * comes any more. Absent where that is not known.
       */
      searchedUntilMs?: number
    }
  | { type: 'payment-reported'; txId: string }
  | { type: 'report-known'; txId: string }
  | { type: 'payment-failed'; txId: string; code: ReportedFailure }
  | { type: 'payment-seen'; payment: Omit<PaymentState, 'use'> }
  | { type: 'payment-reorganised-away'; paymentId: string }
  | {
      type: 'payment-confirmed'
      paymentId: string
      /** What arrived, if it is less than what the payment said. @units base units of its currency */
      arrivedUnits?: string
    }
  | {
      type: 'payment-lost'
      paymentId: string
      /** The line items with signed transactions, which can no longer be stopped. */
      sentItems: readonly number[]
    }
  | { type: 'tokens-allocated'; lineItemIndex: number; tokenIds: string[]; expiresAtMs?: number }
  | { type: 'tokens-minted'; lineItemIndex: number; first: number; count: number; txId: string }
  | {
      type: 'item-delivered'
      lineItemIndex: number
      txId: string
      walletAddress: string
      tokens: DeliveredToken[]
      /** Whether the block of its mint may still be replaced. */
      isSettling?: true
    }
  | { type: 'item-settled'; lineItemIndex: number; txId: string }
  | { type: 'item-undone'; lineItemIndex: number; attempt: number }
  | { type: 'item-refused'; lineItemIndex: number; attempt: number }
  | { type: 'item-failed'; lineItemIndex: number }
  | { type: 'claim-requested' }
  | { type: 'capture-requested' }
  | { type: 'void-requested' }
  | { type: 'refund-requested'; request: RefundRequest }
  | {
      type: 'refund-adopted'
      paymentId: string
      /** @units base units of the payment's currency */
      units: string
      payOutKey: string
      txId: string
      /** Where it went, if not to the payer. */
      sentTo?: string
      source?: 'treasury'
    }
  | { type: 'shipment-created'; shipment: Omit<ShipmentState, 'shippedAtMs' | 'cancelled'> }
  | { type: 'shipment-cancelled'; shipmentId: string; reason?: string }
  | { type: 'refund-sent'; refundId: string; txId: string; fee?: string }
  | { type: 'refund-credited'; refundId: string; txId: string; contract: string }
  | { type: 'refund-held'; refundId: string; heldAs: RefundHoldReason }
  | { type: 'refund-failed'; refundId: string }
  | {
      type: 'refund-retried'
      refundId: string
      /** Where it goes, if not to the payer. */
      to?: string
    }
  | { type: 'refund-address-named'; address: string }
  | { type: 'sweep-refused'; key: string; attempt: number; reason: string }
  | { type: 'sweep-credited'; key: string; txId: string; contract: string }
  | { type: 'sweep-credit-redirected'; key: string; to: string }
  | { type: 'sweep-credit-refused'; key: string; attempt: number; reason: string }
  | { type: 'swept'; key: string }

/** A task that an order gives the rest of the service. */
export type OrderEffect =
  | { type: 'deliver'; lineItemIndex: number }
  | { type: 'deliver-again'; lineItemIndex: number; atMs: number }
  | {
      type: 'refund'
      refundId: string
      /** What identifies its payout on chain. */
      payOutKey: string
      payment: PaymentState
      units: string
      reason: RefundCause
      /** Whether it is worth enough of the price to go before those that are not. */
      isUrgent: boolean
      /** Where its money comes from, if the proceeds of the order have left it. */
      source?: 'treasury'
    }
  | { type: 'sweep'; recipient?: string }
  | { type: 'sweep-again'; recipient?: string; atMs: number }
  | { type: 'look-for-payments' }
  | { type: 'schedule-expiry'; atMs: number }
  | { type: 'await-search' }
