import type { OrderState } from './order.js'

/** Takings of an order that go to one recipient. @units base units of `currency` */
export type Taking = {
  /** The key under which they move, once. */
  key: string
  /** The treasury without it. */
  recipient?: string
  chain: string
  currency: string
  units: bigint
}

/** The key under which what a recipient earned of an order moves; that of the treasury without one. */
const sweepKey = (orderId: string, recipient?: string): string =>
  recipient === undefined ? `sweep:${orderId}` : `sweep:${orderId}:${recipient}`

/** Whoever may earn something of an order beside the treasury. */
const payeesOf = ({ lineItems }: OrderState): string[] => [
  ...new Set(lineItems.flatMap(({ quote }) => quote.payee ?? [])),
]

/** Every key under which takings of an order may ever move. */
export const sweepKeys = (order: OrderState): string[] => [
  sweepKey(order.orderId),
  ...payeesOf(order).map((payee) => sweepKey(order.orderId, payee)),
]

/** What an order has earned: the payment it accepted, less what of it went back or is to. */
const sumTakings = (order: OrderState) => {
  const paid = order.payments.find(({ use, isLost }) => use === 'accepted' && !isLost)
  if (!paid) return undefined
  const returned = order.refunds.filter(({ paymentId }) => paymentId === paid.id)
  const units = returned.reduce((kept, refund) => kept - BigInt(refund.units), BigInt(paid.units))
  return { chain: paid.chain, currency: paid.currency, units }
}

/** What the delivered line items of a payee cost. */
const earnedBy = ({ lineItems }: OrderState, payee: string): bigint =>
  lineItems
    .filter(({ delivery, quote }) => delivery.status === 'completed' && quote.payee === payee)
    .reduce((sum, { quote }) => sum + BigInt(quote.charges?.totalUnits ?? 0), 0n)

/**
 * Shares out what an order has earned: to each payee what its delivered line items cost, and to the treasury what
 * is left. The shares add up to the takings, whatever they are, and none is of nothing.
 */
export const listTakings = (order: OrderState): Taking[] => {
  const takings = sumTakings(order)
  if (!takings) return []
  let { units: left } = takings
  const take = (earned: bigint, recipient?: string): Taking[] => {
    const units = earned < left ? earned : left
    left -= units
    if (units <= 0n) return []
    const key = sweepKey(order.orderId, recipient)
    return [{ ...takings, key, units, ...(recipient !== undefined && { recipient }) }]
  }
  const shares = payeesOf(order).flatMap((payee) => take(earnedBy(order, payee), payee))
  return [...take(left), ...shares]
}
