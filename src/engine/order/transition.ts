import { capturePayment, expireCapture, isUncaptured, voidPayment } from './applyCapture.js'
import { claimOrder } from './applyClaim.js'
import {
  allocateTokens,
  deliverItem,
  failItem,
  nameRefundAddress,
  noteMinted,
  refuseItem,
  retryRefund,
  settleItem,
  settleRefund,
  undoItem,
} from './applyDelivery.js'
import { losePayment, regainPayment } from './applyLoss.js'
import {
  confirmPayment,
  countArrived,
  failReported,
  forgetPayment,
  forgetReportedFailure,
  seePayment,
} from './applyPayment.js'
import { checkFunds, expireQuote, takeQuote } from './applyQuote.js'
import { cancelShipment, createShipment } from './applyShipment.js'
import { creditSweep, redirectCredit, refuseCredit, refuseSweep, settleSweep } from './applySweep.js'
import type { OrderEffect, OrderEvent } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { OrderState } from './order.js'
import { adoptRefund, requestRefund } from './requestRefund.js'

const maxHints = 10

const reportPayment = (order: OrderState, txId: string, nowMs: number): Transition => {
  const effects: OrderEffect[] = [{ type: 'look-for-payments' }]
  // A transaction reported again is followed for the full time again, because it may have been waiting to be
  // mined.
  const hints = [...order.hints.filter((hint) => hint !== txId), txId].slice(-maxHints)
  return { order: { ...forgetReportedFailure(order), hints, hintedAtMs: nowMs }, effects }
}

/**
 * Applies an event to an order, and returns the new state with the effects to run.
 *
 * | from | event | to |
 * |---|---|---|
 * | `quote`, `payment`, every payment goes back | `quoted`, no valid price | `quote`, payment `requires-quote` |
 * | `quote`, `payment`, every payment goes back | `quoted`, valid | `payment`: waiting for a payer, funds or the payment |
 * | `payment` | `funds-checked` | payment `awaiting-payment` or `crypto-payer-insufficient-funds(-for-gas)` |
 * | `payment`, not being paid | `time-passed` past the quote's end | `quote`, quote `expired` |
 * | `quote`, quote `expired`, not being paid | `time-passed`, and payments were looked for past the quote's end | refund the parts of the price that were paid |
 * | `payment`, or `expired` and the block is in time | `payment-seen` | payment `in-progress` |
 * | `quote`, `payment` | `payment-seen`, pays an earlier price in full and in time | that price again, payment `in-progress` |
 * | `quote`, `payment`, every payment goes back | `payment-failed` | as it was, with a `failureReason` until a payment is seen or reported |
 * | any | `report-known` | recorded; the nodes are not asked about its reported transactions for an hour |
 * | any | `payment-reorganised-away` | as if it had not been seen |
 * | `payment` | `payment-confirmed`, in full | `delivery`, deliver each item, refund the excess and earlier parts |
 * | `payment` | `payment-confirmed`, in full with earlier parts | `delivery`, deliver each item, refund the excess |
 * | `payment` | `payment-confirmed`, too little with earlier parts | it is a part, payment waits for the rest |
 * | `payment`, price zero, every payment goes back | `claim-requested` | `delivery`, deliver each item |
 * | `payment` | `payment-confirmed`, in full, capture manual | `delivery`, each item waits for the capture, refund the excess |
 * | `delivery`, not captured | `capture-requested` before the deadline | deliver each item |
 * | `delivery`, not captured | `void-requested`, or `time-passed` past the deadline | `completed`, each delivery `failed`, refund the payment |
 * | `quote`, `payment` | `payment-confirmed`, late, other currency | refund it, payment waits again |
 * | `delivery`, `completed` | `payment-confirmed` | refund it |
 * | `delivery`, nothing sent or refunded | `payment-lost` | unpaid again: payment waits, or quote `expired`; other payments are parts |
 * | `delivery`, `completed`, else | `payment-lost` | recorded; what was sent continues, the rest waits for the payment |
 * | `delivery`, `completed`, lost | `payment-confirmed` | the waiting items are delivered, once no payment is lost |
 * | `delivery` | `tokens-minted` | recorded: a partly minted item never fails, its rest is tried without a limit |
 * | `delivery` | `item-delivered` | that delivery `completed`; after the last one `completed` |
 * | `completed`, its mint not final | `item-settled` | recorded; once all mints are final, proceeds are swept |
 * | `delivery`, `completed`, its mint not final | `item-undone` | `delivery`: as `item-refused` of an item that is not delivered |
 * | `delivery` | `item-failed` | that delivery `failed`, refund its price; after the last one `completed` |
 * | `delivery` | `item-refused` | tried again later; after the last attempt as `item-failed` |
 * | paid, an item delivered | `refund-requested` | refund what the merchant requests of delivered items, up to their prices |
 * | paid | `refund-adopted`, of no more than is left of its payment | recorded as sent: it is on the chain, and the database was restored from a backup without it |
 * | paid, captured, with an address | `shipment-created` | recorded, if none of its line items is shipped or failed |
 * | any | `shipment-cancelled` | recorded: its line items can be shipped again |
 * | any | `refund-retried` | a refund that is held or failed is pending again, to the address that was named |
 * | any | `refund-address-named` | recorded: later refunds on the chain of the order go there |
 * | any | `refund-sent`, `refund-credited`, `refund-held`, `refund-failed` | recorded; once no refund is owed, proceeds are swept to their recipients |
 * | any, swept | `sweep-refused`, `swept` | that sweep is tried again later; recorded |
 * | any, swept | `sweep-credited`, `sweep-credit-refused` | recorded; the service looks later whether it was claimed |
 * | any, swept | `sweep-credit-redirected` | the credit is sent to the address that the operator named |
 *
 * An event that does not fit returns the order unchanged, as the same object.
 *
 * @source answers.md "Order states"
 */
export const transition = (order: OrderState, event: OrderEvent, nowMs: number): Transition => {
  switch (event.type) {
    case 'quoted':
      return takeQuote(order, event.terms)
    case 'funds-checked':
      return checkFunds(order, event.funds, nowMs)
    case 'time-passed':
      return isUncaptured(order)
        ? expireCapture(order, nowMs)
        : expireQuote(order, nowMs, event.searchedUntilMs)
    case 'payment-reported':
      return reportPayment(order, event.txId, nowMs)
    case 'report-known':
      return order.hints.includes(event.txId)
        ? { order: { ...order, reportKnownAtMs: nowMs }, effects: [] }
        : unchanged(order)
    case 'payment-failed':
      return failReported(order, event)
    case 'payment-seen':
      return seePayment(order, event.payment)
    case 'payment-reorganised-away':
      return forgetPayment(order, event.paymentId, nowMs)
    case 'payment-confirmed': {
      const counted = countArrived(order, event)
      const lost = counted.payments.find(({ id, isLost }) => id === event.paymentId && isLost)
      return lost ? regainPayment(counted, lost, nowMs) : confirmPayment(counted, event.paymentId, nowMs)
    }
    case 'payment-lost':
      return losePayment(order, event, nowMs)
    case 'tokens-allocated':
      return allocateTokens(order, event)
    case 'tokens-minted':
      return noteMinted(order, event)
    case 'item-delivered':
      return deliverItem(order, event)
    case 'item-settled':
      return settleItem(order, event.lineItemIndex, event.txId)
    case 'item-undone':
      return undoItem(order, event, nowMs)
    case 'item-refused':
      return refuseItem(order, event, nowMs)
    case 'item-failed':
      return failItem(order, event.lineItemIndex)
    case 'claim-requested':
      return claimOrder(order, nowMs)
    case 'capture-requested':
      return capturePayment(order, nowMs)
    case 'void-requested':
      return voidPayment(order, nowMs)
    case 'refund-requested':
      return requestRefund(order, event.request)
    case 'refund-adopted':
      return adoptRefund(order, event)
    case 'shipment-created':
      return createShipment(order, event.shipment, nowMs)
    case 'shipment-cancelled':
      return cancelShipment(order, event, nowMs)
    case 'refund-sent': {
      const { refundId, txId, fee } = event
      return settleRefund(order, refundId, { status: 'sent', txId, ...(fee !== undefined && { fee }) })
    }
    case 'refund-credited': {
      const { txId, contract } = event
      return settleRefund(order, event.refundId, { status: 'credited', txId, contract })
    }
    case 'refund-held':
      return settleRefund(order, event.refundId, { status: 'held', heldAs: event.heldAs })
    case 'refund-failed':
      return settleRefund(order, event.refundId, { status: 'failed', heldAs: 'refused' })
    case 'refund-retried':
      return retryRefund(order, event)
    case 'refund-address-named':
      return nameRefundAddress(order, event.address)
    case 'sweep-refused':
      return refuseSweep(order, event, nowMs)
    case 'sweep-credited':
      return creditSweep(order, event, nowMs)
    case 'sweep-credit-redirected':
      return redirectCredit(order, event)
    case 'sweep-credit-refused':
      return refuseCredit(order, event, nowMs)
    case 'swept':
      return settleSweep(order, event.key)
    default:
      return unchanged(order)
  }
}
