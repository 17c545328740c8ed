import { nextAttemptAtMs } from '../nextAttempt.js'
import { listAccepted, sumUnits } from './accepted.js'
import type { OrderEffect, OrderEvent } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { OrderState, SweepCredit } from './order.js'
import { refundedOf } from './refundedOf.js'

/**
 * How rarely sweeps are tried in the end. Proceeds have no other claimant and no buyer waits for them, so
 * sweeps are tried without a limit.
 */
const seldomMs = 6 * 60 * 60_000

/** Returns the number of the current attempt at a sweep under a key. */
export const sweepAttempt = ({ sweepRefusals }: OrderState, key: string): number =>
  (sweepRefusals?.[key]?.attempts ?? 0) + 1

/** Records that the chain refused a sweep: it is tried again later. */
export const refuseSweep = (
  order: OrderState,
  { key, attempt, reason }: Extract<OrderEvent, { type: 'sweep-refused' }>,
  nowMs: number,
): Transition => {
  const refused = order.isSwept ? listProceeds(order).find((taking) => taking.key === key) : undefined
  if (!refused || sweepAttempt(order, key) !== attempt) return unchanged(order)
  const { recipient } = refused
  const atMs = nextAttemptAtMs(attempt, nowMs) ?? nowMs + seldomMs
  const sweepRefusals = { ...order.sweepRefusals, [key]: { attempts: attempt, reason } }
  return {
    order: { ...order, sweepRefusals },
    effects: [{ type: 'sweep-again', atMs, ...(recipient !== undefined && { recipient }) }],
  }
}

/** Returns the proceeds of an order that are swept under a key, or `undefined` if there are none. */
const findSwept = (order: OrderState, key: string): Proceeds | undefined =>
  order.isSwept ? listProceeds(order).find((taking) => taking.key === key) : undefined

const withCredit = (order: OrderState, key: string, credit: SweepCredit): OrderState => ({
  ...order,
  sweepCredits: { ...order.sweepCredits, [key]: credit },
})

const lookAgain = ({ recipient }: Proceeds, nowMs: number): OrderEffect => ({
  type: 'sweep-again',
  atMs: nowMs + seldomMs,
  ...(recipient !== undefined && { recipient }),
})

/** Records that the recipient of a sweep rejected it. If that is known, only the next check is planned. */
export const creditSweep = (
  order: OrderState,
  { key, txId, contract }: Extract<OrderEvent, { type: 'sweep-credited' }>,
  nowMs: number,
): Transition => {
  const swept = findSwept(order, key)
  if (!swept) return unchanged(order)
  const effects = [lookAgain(swept, nowMs)]
  if (order.sweepCredits?.[key]) return { order, effects }
  return { order: withCredit(settleSweep(order, key).order, key, { txId, contract, attempts: 0 }), effects }
}

/** Sends credited proceeds to the address that the operator named, unless they are on their way to one. */
export const redirectCredit = (
  order: OrderState,
  { key, to }: Extract<OrderEvent, { type: 'sweep-credit-redirected' }>,
): Transition => {
  const swept = findSwept(order, key)
  const credit = order.sweepCredits?.[key]
  if (!swept || !credit || credit.sentTo !== undefined) return unchanged(order)
  const { txId, contract, attempts } = credit
  const { recipient } = swept
  return {
    order: withCredit(order, key, { txId, contract, attempts: attempts + 1, sentTo: to }),
    effects: [{ type: 'sweep', ...(recipient !== undefined && { recipient }) }],
  }
}

/** Records that the chain refused the address that the operator named: the credit waits for another. */
export const refuseCredit = (
  order: OrderState,
  { key, attempt, reason }: Extract<OrderEvent, { type: 'sweep-credit-refused' }>,
  nowMs: number,
): Transition => {
  const swept = findSwept(order, key)
  const credit = order.sweepCredits?.[key]
  if (!swept || credit?.sentTo === undefined || credit.attempts !== attempt) return unchanged(order)
  const { sentTo: _refused, ...waiting } = credit
  return { order: withCredit(order, key, { ...waiting, reason }), effects: [lookAgain(swept, nowMs)] }
}

const without = <Value>(
  values: Record<string, Value> | undefined,
  key: string,
): Record<string, Value> | undefined => {
  const { [key]: _left, ...others } = values ?? {}
  return Object.keys(others).length ? others : undefined
}

/** Records that a sweep of proceeds reached its recipient, or the address to which its credit was sent. */
export const settleSweep = (order: OrderState, key: string): Transition => {
  const { sweepRefusals, sweepCredits, ...swept } = order
  if (!sweepRefusals?.[key] && !sweepCredits?.[key]) return unchanged(order)
  const refusals = without(sweepRefusals, key)
  const credits = without(sweepCredits, key)
  return {
    order: {
      ...swept,
      ...(refusals && { sweepRefusals: refusals }),
      ...(credits && { sweepCredits: credits }),
    },
    effects: [],
  }
}

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

/**
 * Returns an order's proceeds: the accepted payments, less the refunds made and owed. What the treasury refunds does
 * not come from them.
 */
const sumProceeds = (order: OrderState) => {
  const accepted = listAccepted(order)
  const [paid] = accepted
  if (!paid) return undefined
  const ids = new Set(accepted.map(({ id }) => id))
  const returned = order.refunds.filter(
    ({ paymentId, source }) => ids.has(paymentId) && source !== 'treasury',
  )
  return { chain: paid.chain, currency: paid.currency, units: sumUnits(accepted) - sumUnits(returned) }
}

/** Returns the price of a payee's delivered line items, less what was refunded of it before the sweep. */
const earnedBy = ({ lineItems, refunds }: OrderState, payee: string): bigint => {
  const earlier = { refunds: refunds.filter(({ source }) => source !== 'treasury') }
  return lineItems.reduce((sum, { delivery, quote }, index) => {
    if (delivery.status !== 'completed' || quote.payee !== payee) return sum
    return sum + BigInt(quote.charges?.totalUnits ?? 0) - refundedOf(earlier, index)
  }, 0n)
}

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
