import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { LineItem } from '../../schema/lineItem.js'
import type { Order } from '../../schema/order.js'
import type { PaymentUse } from '../../schema/orderMembers.js'
import type {
  ClaimableRefund,
  HeldRefund,
  PaymentTransaction,
  ReceivedPayment,
  SentRefund,
} from '../../schema/payment.js'
import { type Price, toFiat } from '../../schema/price.js'
import type { PaymentBalances } from '../../schema/refund.js'
import { clip } from '../clip.js'
import { isPaid, listAccepted, sumUnits } from './accepted.js'
import { isUncaptured } from './applyCapture.js'
import { dueUnits, expireQuote } from './applyQuote.js'
import type { LineItemState, OrderState, PaymentState, RefundState, Unavailability } from './order.js'
import { findRefundAddress, waitsForAddress } from './refundAddress.js'
import { sumRefundable } from './requestRefund.js'
import { viewShipment } from './viewShipment.js'

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

const viewReason = ({ availableAtMs, ...reason }: Unavailability) => ({
  ...reason,
  ...(availableAtMs !== undefined && { availableAt: iso(availableAtMs) }),
})

/** How much of a description an order shows. The template and its tokens have all of it. @units characters */
const maxDescription = 1_000
/** How much of all its descriptions an order shows, so that a short request has no answer that is many times as long. */
const maxDescriptions = 10_000

const viewLineItem = (item: LineItemState, order: OrderState, audience: Audience): LineItem => {
  const price = (units: string): Price => viewPrice(units, order)
  const { status, unavailabilityReason, available, allowance, sale, charges, goods } = item.quote
  const told = charges ?? goods
  const known = viewRecipient(item, order)
  const physicalAddress = audience === 'merchant' && order.recipient?.physicalAddress
  const recipient = known && { ...known, ...(physicalAddress && { physicalAddress }) }
  const { txId, tokens } = item.delivery
  // A client that knows no capture must neither pay again nor take the order for failed.
  const isWaiting = item.delivery.status === 'awaiting-payment' && isUncaptured(order) && isPaid(order)
  const shown = Math.min(maxDescription, Math.floor(maxDescriptions / order.lineItems.length))
  return {
    chain: item.chain,
    quantity: item.quantity,
    callData: item.callData,
    metadata: { ...item.metadata, description: clip(item.metadata.description, shown) },
    quote: {
      status,
      ...(unavailabilityReason && { unavailabilityReason: viewReason(unavailabilityReason) }),
      ...(available !== undefined && { available }),
      ...(allowance && { allowance }),
      ...(sale && { sale }),
      ...(told && {
        charges: {
          unit: price(told.unitUnits),
          ...(charges && { salesTax: price(charges.salesTaxUnits), shipping: price(charges.shippingUnits) }),
          ...(told.discountUnits !== undefined && { discount: price(told.discountUnits) }),
        },
      }),
      ...(charges && { totalPrice: price(charges.totalUnits) }),
    },
    delivery: {
      status: isWaiting ? 'in-progress' : item.delivery.status,
      ...(recipient && { recipient }),
      ...(txId && { txId }),
      ...(tokens && { tokens }),
    },
  }
}

const viewQuote = (order: OrderState): Order['quote'] => {
  const { quote, promotionCode } = order
  return {
    status: quote.status,
    ...(quote.quotedAtMs !== undefined && { quotedAt: iso(quote.quotedAtMs) }),
    ...(quote.expiresAtMs !== undefined && { expiresAt: iso(quote.expiresAtMs) }),
    ...(quote.totalUnits !== undefined && { totalPrice: viewPrice(quote.totalUnits, order) }),
    ...(promotionCode !== undefined &&
      quote.promotion && { promotion: { code: promotionCode, status: quote.promotion } }),
  }
}

/** Returns how the payment is captured: nothing while that is automatic. */
const viewCapture = ({ capture }: OrderState) =>
  capture && {
    capture: 'manual' as const,
    ...(capture.status !== undefined && { captureStatus: capture.status }),
    ...(capture.deadlineMs !== undefined &&
      capture.status === 'requires-capture' && { captureBefore: iso(capture.deadlineMs) }),
  }

const uses: Readonly<Record<PaymentState['use'], PaymentUse>> = {
  undecided: 'pending',
  part: 'part',
  accepted: 'accepted',
  returned: 'returned',
}

/** How many transactions an order shows. Anyone can pay any number of tiny amounts. */
const maxTransactions = 100

/** Returns the transactions that paid, those first that go back: a change of the order depends on the others. */
const viewTransactions = ({ payments }: OrderState): PaymentTransaction[] | undefined => {
  const present = payments.filter(({ isLost }) => !isLost)
  const isBack = ({ use }: PaymentState): boolean => use === 'returned'
  const sorted = [...present.filter(isBack), ...present.filter((paid) => !isBack(paid))]
  const shown = sorted.slice(-maxTransactions)
  return shown.length ? shown.map(({ txId, chain, use }) => ({ txId, chain, use: uses[use] })) : undefined
}

/** Whether a payer can sign something now. An authorization takes no funds for gas. */
const isSignable = ({ status }: OrderState['payment']): boolean =>
  status === 'awaiting-payment' || status === 'crypto-payer-insufficient-funds-for-gas'

/** Returns what the payer may sign, only while it may be signed, so that a buyer cannot pay twice. */
const viewSignature = (payment: OrderState['payment']) => {
  const { status, serializedTransaction, authorization } = payment
  return {
    ...(status === 'awaiting-payment' && serializedTransaction && { serializedTransaction }),
    ...(isSignable(payment) && authorization && { authorization }),
  }
}

const viewPayment = (order: OrderState, audience: Audience): Order['payment'] => {
  const { status, chain, currency, payerAddress, failureReason, receiptEmail, gas, x402Url } = order.payment
  const received = viewReceived(order)
  const transactions = viewTransactions(order)
  const remaining = viewRemaining(order)
  const refunded = viewRefunded(order)
  const refundHeld = viewRefundHeld(order)
  const refundAddress = findRefundAddress(order)
  const refundClaimable = viewRefundClaimable(order)
  // A buyer might take what can be refunded for a promise.
  const balances = audience === 'merchant' ? viewBalances(order) : undefined
  return {
    status,
    // The order has it from a checked request.
    method: chain as Order['payment']['method'],
    currency,
    ...viewCapture(order),
    ...(audience === 'merchant' && receiptEmail !== undefined && { receiptEmail }),
    ...(payerAddress && {
      preparation: {
        chain,
        payerAddress,
        ...viewSignature(order.payment),
      },
    }),
    ...(gas && isSignable(order.payment) && { gas }),
    ...(x402Url !== undefined && { x402Url }),
    ...(refundAddress !== undefined && { refundAddress }),
    ...(failureReason && { failureReason }),
    ...(received && { received }),
    ...(transactions && { transactions }),
    ...(remaining && { remaining }),
    ...(refunded && { refunded }),
    ...(refundHeld && { refundHeld }),
    ...(refundClaimable && { refundClaimable }),
    ...(balances && { balances }),
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
    ...(order.shipments && {
      shipments: order.shipments.map((shipment) => viewShipment(order, shipment, audience)),
    }),
    ...(audience === 'merchant' && order.gift && { gift: order.gift }),
    ...(order.metadata && { metadata: order.metadata }),
  }
}

const listConfirmed = ({ payments }: OrderState): PaymentState[] =>
  payments.filter(({ use, isLost }) => use !== 'undecided' && !isLost)

const isSameCurrency = (one: PaymentState, other: PaymentState | undefined): boolean =>
  one.chain === other?.chain && one.currency === other.currency

/**
 * Returns the confirmed payments that are shown together: those in the currency of the last accepted one, or else of
 * the latest.
 */
const toldPayments = (order: OrderState): { told: PaymentState[]; main: PaymentState | undefined } => {
  const confirmed = listConfirmed(order)
  const main = confirmed.findLast(({ use }) => use === 'accepted') ?? confirmed.at(-1)
  return { told: confirmed.filter((paid) => isSameCurrency(paid, main)), main }
}

/**
 * Returns the amount received for an order so far, with the last transaction that paid for it, or else the
 * latest.
 */
const viewReceived = (order: OrderState): ReceivedPayment | undefined => {
  const { told, main } = toldPayments(order)
  if (!main) return undefined
  const { chain, currency, decimals, txId, payer, minedAtMs } = main
  const amount = fromBaseUnits(sumUnits(told), decimals)
  return { amount, currency, chain, txId, payerAddress: payer, paidAt: iso(minedAtMs) }
}

/** Returns what is left to pay, if a part of a valid price was paid. */
const viewRemaining = (order: OrderState): Price | undefined => {
  const due = dueUnits(order)
  const isPart = order.phase === 'payment' && order.payments.some(({ use }) => use === 'part')
  return due !== undefined && isPart ? viewPrice(`${due}`, order) : undefined
}

/**
 * Adds up the refunds of payments of one currency that have one of the statuses. Returns `undefined` if there are none.
 *
 * @param paid - The currency, by one of its payments.
 */
const sumRefunds = (
  order: OrderState,
  statuses: readonly RefundState['status'][],
  paid: PaymentState | undefined = toldPayments(order).main,
) => {
  const told = listConfirmed(order).filter((each) => isSameCurrency(each, paid))
  const found = order.refunds.filter(
    ({ status, paymentId }) => statuses.includes(status) && told.some(({ id }) => id === paymentId),
  )
  const latest = found.at(-1)
  if (!paid || !latest) return undefined
  const { chain, currency, decimals } = paid
  const transfer = { amount: fromBaseUnits(sumUnits(found), decimals), currency, chain }
  return { found, latest, transfer, decimals }
}

/**
 * Returns the amount refunded so far, with the latest refund's transaction, what was taken off, and why. The amount
 * received less these two is what was kept.
 */
const viewRefunded = (order: OrderState): SentRefund | undefined => {
  const sent = sumRefunds(order, ['sent'])
  if (!sent) return undefined
  const { found, latest, transfer, decimals } = sent
  const fee = found.reduce((sum, refund) => sum + BigInt(refund.fee ?? 0), 0n)
  const { currency } = transfer
  const requested = found.findLast(({ request }) => request?.reason !== undefined)
  return {
    ...transfer,
    ...(fee > 0n && {
      amount: fromBaseUnits(sumUnits(found) - fee, decimals),
      fee: { amount: fromBaseUnits(fee, decimals), currency },
    }),
    ...(latest.txId !== undefined && { txId: latest.txId }),
    causes: [...new Set(found.map(({ reason }) => reason))],
    ...(requested?.request?.reason !== undefined && { reason: requested.request.reason }),
  }
}

/**
 * Adds up the refunds that wait. If none of the shown payments has one, they are those of the latest payment in another
 * currency: its payer may have to do something.
 */
const sumWaiting = (order: OrderState, statuses: readonly RefundState['status'][]) => {
  const waiting = order.refunds.filter(({ status }) => statuses.includes(status))
  const other = listConfirmed(order).findLast(({ id }) => waiting.some(({ paymentId }) => paymentId === id))
  return sumRefunds(order, statuses) ?? sumRefunds(order, statuses, other)
}

/**
 * Returns the amount owed to the payer and not pending, and why. Of several reasons it is the one that the buyer can
 * remove, or else the latest.
 */
const viewRefundHeld = (order: OrderState): HeldRefund | undefined => {
  const held = sumWaiting(order, ['held', 'failed'])
  if (!held) return undefined
  const latest = held.latest.status === 'failed' ? 'refused' : held.latest.heldAs
  const reason = held.found.some(waitsForAddress) ? 'contract-payer' : latest
  return { ...held.transfer, ...(reason !== undefined && { reason }) }
}

/** Returns the amount that the payer could not receive, and may claim from the contract. */
const viewRefundClaimable = (order: OrderState): ClaimableRefund | undefined => {
  const credited = sumWaiting(order, ['credited'])
  if (!credited) return undefined
  const { txId, contract } = credited.latest
  return {
    ...credited.transfer,
    ...(txId !== undefined && { txId }),
    ...(contract !== undefined && { contract }),
  }
}

/** Returns what became of the accepted payments. A refund that is not sent yet counts as refunded. */
const viewBalances = (order: OrderState): PaymentBalances | undefined => {
  const accepted = listAccepted(order)
  const [paid] = accepted
  if (!paid) return undefined
  const ids = new Set(accepted.map(({ id }) => id))
  const write = (units: bigint): string => fromBaseUnits(units, paid.decimals)
  const isCaptured = order.capture === undefined || order.capture.status === 'captured'
  return {
    captured: write(isCaptured ? sumUnits(accepted) : 0n),
    refunded: write(sumUnits(order.refunds.filter(({ paymentId }) => ids.has(paymentId)))),
    refundable: write(sumRefundable(order)),
  }
}
