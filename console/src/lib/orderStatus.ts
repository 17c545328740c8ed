import type { ListedOrder, Order, PaymentBalances } from 'kassa/schema'
import { t } from '../messages/index.js'
import { shorten } from './format.js'
import { listUnshipped } from './shipments.js'

export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'
export type Status = { label: string; tone: Tone }

/** An order with what only the merchant sees. */
export type MerchantOrder = ListedOrder

type MerchantPayment = {
  balances?: PaymentBalances
  capture?: string
  captureStatus?: string
  captureBefore?: string
}

/** Returns the fields of a payment that only the merchant sees. */
export const readPayment = ({ payment }: Order): MerchantPayment & Order['payment'] =>
  payment as MerchantPayment & Order['payment']

/** Whether a decimal string is 0. */
export const isZero = (amount: string): boolean => !/[1-9]/.test(amount)

/** Whether something of the payment can be refunded. */
export const canRefund = (order: Order): boolean => !isZero(readPayment(order).balances?.refundable ?? '0')

const s = t.statuses

const readPaid = (order: Order): Status | undefined => {
  const { balances, captureStatus } = readPayment(order)
  if (captureStatus === 'requires-capture') return { label: s.capture, tone: 'warn' }
  if (captureStatus === 'voided') return { label: s.voided, tone: 'neutral' }
  if (captureStatus === 'expired') return { label: s.released, tone: 'neutral' }
  if (order.phase === 'delivery') return { label: s.delivering, tone: 'info' }
  if (order.phase !== 'completed') return undefined
  const failed = order.lineItems.filter(({ delivery }) => delivery.status === 'failed').length
  if (failed === order.lineItems.length) return { label: s.undelivered, tone: 'bad' }
  if (failed) return { label: s.partly, tone: 'warn' }
  const isRefunded = balances !== undefined && !isZero(balances.refunded)
  if (isRefunded && isZero(balances.refundable)) return { label: s.refunded, tone: 'neutral' }
  if (listUnshipped(order).length) return { label: s.toShip, tone: 'warn' }
  if (isRefunded) return { label: s.partlyRefunded, tone: 'neutral' }
  return { label: s.delivered, tone: 'good' }
}

/** Returns how an order stands, in a word or two. */
export const readStatus = (order: Order): Status => {
  const paid = readPaid(order)
  if (paid) return paid
  if (order.phase === 'payment') {
    return order.payment.status === 'in-progress'
      ? { label: s.confirming, tone: 'info' }
      : { label: s.unpaid, tone: 'neutral' }
  }
  if (order.quote.status === 'expired') return { label: s.expired, tone: 'neutral' }
  if (order.quote.status === 'all-line-items-unavailable') return { label: s.unavailable, tone: 'neutral' }
  return { label: s.incomplete, tone: 'neutral' }
}

/** Names the buyer by their e-mail address, or by their wallet's shortened one. */
export const nameCustomer = ({ lineItems, payment }: Order): string | undefined => {
  const { email, walletAddress } = lineItems[0]?.delivery.recipient ?? {}
  const wallet = walletAddress ?? payment.preparation?.payerAddress
  return email ?? payment.receiptEmail ?? (wallet && shorten(wallet))
}

/** Returns where a picture of a line item is served from. */
export const readPicture = (url: string | undefined): string | undefined =>
  url?.startsWith('ipfs://') ? `/ipfs/${url.slice('ipfs://'.length)}` : url || undefined
