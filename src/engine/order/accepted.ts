import type { OrderState, PaymentState } from './order.js'

/**
 * Returns the payments that pay for an order, in the order in which they were found. There are none while the
 * blockchain has taken one of them back: the others alone are too little.
 */
export const listAccepted = ({ payments }: Pick<OrderState, 'payments'>): PaymentState[] => {
  const accepted = payments.filter(({ use }) => use === 'accepted')
  return accepted.some(({ isLost }) => isLost) ? [] : accepted
}

/** Whether an order has accepted payments and the blockchain has all of them. */
export const isPaid = (order: Pick<OrderState, 'payments'>): boolean => listAccepted(order).length > 0

/** Whether the blockchain has taken back a payment that an order accepted. */
export const isPaymentLost = ({ payments }: Pick<OrderState, 'payments'>): boolean =>
  payments.some(({ use, isLost }) => use === 'accepted' && isLost)

/** Returns what is left of a payment after its refunds, sent or not. @units base units of its currency */
export const leftOf = (
  { refunds }: Pick<OrderState, 'refunds'>,
  { id, units }: Pick<PaymentState, 'id' | 'units'>,
): bigint =>
  refunds.reduce(
    (left, refund) => (refund.paymentId === id ? left - BigInt(refund.units) : left),
    BigInt(units),
  )

/** Adds up payments of one currency. @units base units of that currency */
export const sumUnits = (payments: readonly Pick<PaymentState, 'units'>[]): bigint =>
  payments.reduce((sum, { units }) => sum + BigInt(units), 0n)
