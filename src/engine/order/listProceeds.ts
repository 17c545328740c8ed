import type { OrderState } from './order.js'

/** An order's proceeds for one recipient. @units base units of `currency` */
export type Proceeds = {
  /** The key under which they move, once. */
  key: string
  /** Absent for the treasury. */
  recipient?: string
  chain: string
  currency: string
  units: bigint
}

/** Returns the key of the sweep to a recipient, or to the treasury without one. */
const sweepKey = (orderId: string, recipient?: string): string =>
  recipient === undefined ? `sweep:${orderId}` : `sweep:${orderId}:${recipient}`

/** Returns the possible recipients of an order's proceeds besides the treasury. */
const payeesOf = ({ lineItems }: OrderState): string[] => [
  ...new Set(lineItems.flatMap(({ quote }) => quote.payee ?? [])),
]

/** Returns every key under which an order's proceeds may be swept. */
export const sweepKeys = (order: OrderState): string[] => [
  sweepKey(order.orderId),
  ...payeesOf(order).map((payee) => sweepKey(order.orderId, payee)),
]

/** Returns an order's proceeds: the accepted payment, less the refunds made and owed. */
const sumProceeds = (order: OrderState) => {
  const paid = order.payments.find(({ use, isLost }) => use === 'accepted' && !isLost)
  if (!paid) return undefined
  const returned = order.refunds.filter(({ paymentId }) => paymentId === paid.id)
  const units = returned.reduce((kept, refund) => kept - BigInt(refund.units), BigInt(paid.units))
  return { chain: paid.chain, currency: paid.currency, units }
}

/** Returns the price of a payee's delivered line items. */
const earnedBy = ({ lineItems }: OrderState, payee: string): bigint =>
  lineItems
    .filter(({ delivery, quote }) => delivery.status === 'completed' && quote.payee === payee)
    .reduce((sum, { quote }) => sum + BigInt(quote.charges?.totalUnits ?? 0), 0n)

/**
 * Divides an order's proceeds: each payee gets the price of its delivered line items, and the treasury gets
 * the rest. The shares always add up to the proceeds, and shares of zero are left out.
 */
export const listProceeds = (order: OrderState): Proceeds[] => {
  const proceeds = sumProceeds(order)
  if (!proceeds) return []
  let { units: left } = proceeds
  const take = (earned: bigint, recipient?: string): Proceeds[] => {
    const units = earned < left ? earned : left
    left -= units
    if (units <= 0n) return []
    const key = sweepKey(order.orderId, recipient)
    return [{ ...proceeds, key, units, ...(recipient !== undefined && { recipient }) }]
  }
  const shares = payeesOf(order).flatMap((payee) => take(earnedBy(order, payee), payee))
  return [...take(left), ...shares]
}
