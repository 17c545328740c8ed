import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { LineItem } from '../../schema/lineItem.js'
import type { Order } from '../../schema/order.js'
import { type Price, toFiat } from '../../schema/price.js'
import { expireQuote } from './applyQuote.js'
import type { LineItemState, OrderState } from './order.js'
import { viewReceived, viewRefundClaimable, viewRefunded, viewRefundHeld } from './viewTransfers.js'

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/**
 * The reader of an order. A merchant reads with a server key or from a webhook, and sees the shipping
 * address, the receipt's e-mail address and the gift note. A client secret leaks more easily, so its holder
 * does not see them.
 */
export type Audience = 'merchant' | 'buyer'

const viewRecipient = (item: LineItemState, { recipient }: OrderState) => {
  const { walletAddress } = item.delivery
  if (recipient?.email !== undefined) {
    const locator = `email:${recipient.email}:${item.chain}`
    return { locator, email: recipient.email, ...(walletAddress && { walletAddress }) }
  }
  const address = walletAddress ?? recipient?.walletAddress
  return address === undefined ? undefined : { locator: `${item.chain}:${address}`, walletAddress: address }
}

const viewPrice = (units: string, { payment, quote }: OrderState): Price => {
  const { currency, decimals } = payment
  return {
    amount: fromBaseUnits(BigInt(units), decimals),
    currency,
    ...(quote.usdRate !== undefined && { fiat: toFiat(BigInt(units), decimals, quote.usdRate) }),
  }
}

const viewLineItem = (item: LineItemState, order: OrderState, audience: Audience): LineItem => {
  const price = (units: string): Price => viewPrice(units, order)
  const { status, unavailabilityReason, charges } = item.quote
  const known = viewRecipient(item, order)
  const physicalAddress = audience === 'merchant' && order.recipient?.physicalAddress
  const recipient = known && { ...known, ...(physicalAddress && { physicalAddress }) }
  const { txId, tokens } = item.delivery
  return {
    chain: item.chain,
    quantity: item.quantity,
    callData: item.callData,
    metadata: item.metadata,
    quote: {
      status,
      ...(unavailabilityReason && { unavailabilityReason }),
      ...(charges && {
        charges: {
          unit: price(charges.unitUnits),
          salesTax: price(charges.salesTaxUnits),
          shipping: price(charges.shippingUnits),
        },
        totalPrice: price(charges.totalUnits),
      }),
    },
    delivery: {
      status: item.delivery.status,
      ...(recipient && { recipient }),
      ...(txId && { txId }),
      ...(tokens && { tokens }),
    },
  }
}

const viewQuote = (order: OrderState): Order['quote'] => {
  const { quote } = order
  return {
    status: quote.status,
    ...(quote.quotedAtMs !== undefined && { quotedAt: iso(quote.quotedAtMs) }),
    ...(quote.expiresAtMs !== undefined && { expiresAt: iso(quote.expiresAtMs) }),
    ...(quote.totalUnits !== undefined && { totalPrice: viewPrice(quote.totalUnits, order) }),
  }
}

const viewPayment = (order: OrderState, audience: Audience): Order['payment'] => {
  const { status, chain, currency, payerAddress, serializedTransaction, failureReason, receiptEmail } =
    order.payment
  const received = viewReceived(order)
  const refunded = viewRefunded(order)
  const refundHeld = viewRefundHeld(order)
  const refundClaimable = viewRefundClaimable(order)
  return {
    status,
    method: chain,
    currency,
    ...(audience === 'merchant' && receiptEmail !== undefined && { receiptEmail }),
    ...(payerAddress && {
      preparation: {
        chain,
        payerAddress,
        // Only while it may be signed, so that a buyer cannot pay twice.
        ...(status === 'awaiting-payment' && serializedTransaction && { serializedTransaction }),
      },
    }),
    ...(failureReason && { failureReason }),
    ...(received && { received }),
    ...(refunded && { refunded }),
    ...(refundHeld && { refundHeld }),
    ...(refundClaimable && { refundClaimable }),
  }
}

/**
 * Converts an order to what clients see at a time. A quote that has run out by then shows as expired.
 *
 * @source interface.md "Order"; answers.md "Order states"
 */
export const viewOrder = (state: OrderState, nowMs: number, audience: Audience): Order => {
  const { order } = expireQuote(state, nowMs)
  return {
    orderId: order.orderId,
    phase: order.phase,
    locale: order.locale,
    lineItems: order.lineItems.map((item) => viewLineItem(item, order, audience)),
    quote: viewQuote(order),
    payment: viewPayment(order, audience),
    ...(audience === 'merchant' && order.gift && { gift: order.gift }),
    ...(order.metadata && { metadata: order.metadata }),
  }
}
