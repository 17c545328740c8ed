import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { LineItem } from '../../schema/lineItem.js'
import type { Order } from '../../schema/order.js'
import type { Transfer } from '../../schema/payment.js'
import { type Price, toFiat } from '../../schema/price.js'
import { testRates } from './convertPrice.js'
import type { Caller } from './identify.js'
import type { TestItem, TestOrder, TestPayment } from './testOrder.js'

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

const viewRecipient = ({ chain, delivery }: TestItem, { recipient }: TestOrder) => {
  const { walletAddress } = delivery
  if (recipient?.email !== undefined) {
    const locator = `email:${recipient.email}:${chain}`
    return { locator, email: recipient.email, ...(walletAddress && { walletAddress }) }
  }
  const address = walletAddress ?? recipient?.walletAddress
  return address === undefined ? undefined : { locator: `${chain}:${address}`, walletAddress: address }
}

const viewPrice = (units: bigint, { currency, decimals }: TestOrder['payment']): Price => {
  const rate = testRates[currency]
  return {
    amount: fromBaseUnits(units, decimals),
    currency,
    ...(rate !== undefined && { fiat: toFiat(units, decimals, rate) }),
  }
}

const viewItem = (item: TestItem, order: TestOrder, caller: Caller): LineItem => {
  const price = (units: bigint): Price => viewPrice(units, order.payment)
  const { status, unavailabilityReason, totalUnits } = item.quote
  const known = viewRecipient(item, order)
  const physicalAddress = caller === 'server' && order.recipient?.physicalAddress
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
      ...(totalUnits !== undefined && {
        charges: { unit: price(totalUnits), salesTax: price(0n), shipping: price(0n) },
        totalPrice: price(totalUnits),
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

const sum = (moved: readonly { units: bigint }[]): bigint =>
  moved.reduce((total, { units }) => total + units, 0n)

/** What arrived, and what of it went back, told in the currency of the payment that paid, or else of the latest. */
const viewTransfers = (
  { payments, refunds }: TestOrder,
  nowMs: number,
): { received?: Transfer; refunded?: Transfer } => {
  const confirmed = payments.filter(({ use }) => use !== 'undecided')
  const main = confirmed.find(({ use }) => use === 'accepted') ?? confirmed.at(-1)
  if (!main) return {}
  const isTold = ({ chain, currency }: TestPayment): boolean =>
    chain === main.chain && currency === main.currency
  const told = confirmed.filter(isTold)
  const sent = refunds.filter(
    ({ sentAtMs, paymentTxId }) => sentAtMs <= nowMs && told.some(({ txId }) => txId === paymentTxId),
  )
  const { chain, currency, decimals } = main
  const write = (units: bigint, txId: string): Transfer => ({
    amount: fromBaseUnits(units, decimals),
    currency,
    chain,
    txId,
  })
  const last = sent.at(-1)
  return {
    received: write(sum(told), main.txId),
    ...(last && { refunded: write(sum(sent), last.txId) }),
  }
}

/**
 * An order as the service shows it to a caller at a moment. The shipping address, the receipt's e-mail address and the
 * gift are shown to the server key alone.
 */
export const viewTestOrder = (order: TestOrder, nowMs: number, caller: Caller): Order => {
  const { quote, payment } = order
  const { chain, payerAddress, serializedTransaction, failureReason, receiptEmail } = payment
  const isMerchant = caller === 'server'
  const total = quote.totalUnits
  return {
    orderId: order.orderId,
    phase: order.phase,
    locale: order.locale,
    lineItems: order.items.map((item) => viewItem(item, order, caller)),
    quote: {
      status: quote.status,
      quotedAt: iso(quote.quotedAtMs),
      ...(quote.expiresAtMs !== undefined && { expiresAt: iso(quote.expiresAtMs) }),
      ...(total !== undefined && { totalPrice: viewPrice(total, payment) }),
    },
    payment: {
      status: payment.status,
      method: chain,
      currency: payment.currency,
      ...(isMerchant && receiptEmail !== undefined && { receiptEmail }),
      ...(payerAddress && {
        preparation: {
          chain,
          payerAddress,
          ...(payment.status === 'awaiting-payment' && serializedTransaction && { serializedTransaction }),
        },
      }),
      ...(failureReason && { failureReason }),
      ...viewTransfers(order, nowMs),
    },
    ...(isMerchant && order.gift && { gift: order.gift }),
    ...(order.metadata && { metadata: order.metadata }),
  }
}
