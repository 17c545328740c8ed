import type { Amount, Order } from '../schema/index.js'
import { takesChanges } from '../schema/takesChanges.js'

/**
 * Returns what is left to pay of the total, after the parts of it that were paid.
 *
 * @returns The whole total while nothing was paid; undefined while there is no price.
 * @units A decimal string in whole units of its currency.
 */
export const getAmountDue = ({ payment, quote }: Order): Amount | undefined =>
  payment.remaining ?? quote.totalPrice

/** Whether the payer may sign the payment, so that the shop sends it and pays its network fee. */
export const isSponsored = ({ payment }: Pick<Order, 'payment'>): boolean =>
  payment.gas === 'shop' && Boolean(payment.preparation?.authorization)

/** Whether the service has seen a valid payment. From then on the buyer must not be asked to pay. */
export const isPaymentSeen = (order: Order): boolean =>
  order.phase === 'delivery' ||
  order.phase === 'completed' ||
  order.payment.status === 'in-progress' ||
  order.payment.status === 'completed'

/** Whether a payment is final: confirmed, and the goods on their way. */
export const isPaymentCompleted = (order: Order): boolean =>
  order.phase === 'delivery' || order.phase === 'completed' || order.payment.status === 'completed'

const isSameTransaction = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase()

/**
 * Whether the service has processed one transaction without it paying for the order: the amount was too
 * little or too late, so it was sent back and the order waits for another payment.
 */
export const isPaymentReturned = (order: Order, txId: string): boolean => {
  const { received, transactions = [] } = order.payment
  if (isPaymentSeen(order)) return false
  return (
    isSameTransaction(received?.txId, txId) ||
    transactions.some(
      ({ use, ...paid }) => (use === 'returned' || use === 'part') && isSameTransaction(paid.txId, txId),
    )
  )
}

/**
 * Whether a payment may still pay for the present quote of an unpaid order, so that the service neither changes the order
 * nor quotes it again. An older service does not say so.
 */
export const awaitsDecision = ({ payment }: Order): boolean =>
  payment.transactions?.some(({ use }) => use !== 'returned') ?? false

/**
 * Whether the service changes an order and quotes it again. An older service does not list the transactions, so what it
 * received may count.
 */
export const isChangeable = (order: Order): boolean => {
  const { transactions, received } = order.payment
  return (
    !isPaymentSeen(order) && takesChanges(order.phase, transactions ?? []) && (!received || !!transactions)
  )
}
