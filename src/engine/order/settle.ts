import type { RefundCause } from '../../schema/orderMembers.js'
import { leftOf } from './accepted.js'
import { listProceeds } from './applySweep.js'
import type { Transition } from './event.js'
import type { OrderState, PaymentState, RefundState } from './order.js'

/** The share of an order's whole price. */
export const wholeShare = 10_000

/**
 * Returns which part of an order's price a part of a payment is, in hundredths of a percent, rounded down and at most
 * the whole. In another currency it is none.
 */
export const shareOfPrice = (
  { quote, payment: terms }: OrderState,
  { chain, currency }: Pick<PaymentState, 'chain' | 'currency'>,
  units: bigint,
): number => {
  const price = BigInt(quote.totalUnits ?? 0)
  const isPriced = chain === terms.chain && currency === terms.currency && price > 0n
  const share = isPriced ? (units * BigInt(wholeShare)) / price : 0n
  return Math.min(Number(share), wholeShare)
}

/** The amount of a refund, and why it is due. @units base units of the payment's currency */
type RefundTerms = Pick<RefundState, 'reason' | 'request' | 'source'> & { units: bigint }

/**
 * Returns the key of a refund's payout, which a chain pays once. It names what is paid: ids are numbered, and a
 * database that was restored from a backup gives a number out again, for another amount or another payment.
 */
export const payOutKeyOf = ({
  id,
  payOutKey,
}: {
  id: string
  payOutKey?: string | null | undefined
}): string => payOutKey ?? id

/** Returns the key of the payout of an order's n-th refund, from 0 on. @units base units of the payment's currency */
export const refundKey = ({
  orderId,
  number,
  paymentId,
  units,
}: {
  orderId: string
  number: number
  paymentId: string
  units: string
}): string => `refund:${orderId}:${number}:${paymentId}:${units}`

/** Starts the refund of part of a payment. */
export const startRefund = (
  { order, effects }: Transition,
  payment: PaymentState,
  { units, reason, request, source }: RefundTerms,
): Transition => {
  const number = order.refunds.length
  const id = `refund:${order.orderId}:${number}`
  const payOutKey = refundKey({ orderId: order.orderId, number, paymentId: payment.id, units: `${units}` })
  const origin = source && { source }
  const refund: RefundState = {
    id,
    payOutKey,
    paymentId: payment.id,
    units: `${units}`,
    reason,
    status: 'pending',
    ...(request && { request }),
    ...origin,
  }
  // An attacker can request refunds of tiny amounts for free, so buyers' refunds must not wait behind them.
  const isUrgent = shareOfPrice(order, payment, units) >= wholeShare / 100
  const due = {
    type: 'refund' as const,
    refundId: id,
    payOutKey,
    payment,
    units: refund.units,
    reason,
    isUrgent,
  }
  return {
    order: { ...order, refunds: [...order.refunds, refund] },
    effects: [...effects, { ...due, ...origin }],
  }
}

/** How much is refunded, in base units, and why. */
type RefundPart = { units: bigint; reason: RefundCause }

/** Starts the refund of part of a payment, if there is anything to refund. */
export const refundPart = (step: Transition, payment: PaymentState, part: RefundPart): Transition =>
  part.units > 0n ? startRefund(step, payment, part) : step

/** Starts the refund of what is left of each payment. */
export const refundLeft = (
  step: Transition,
  payments: readonly PaymentState[],
  reason: RefundCause,
): Transition =>
  payments.reduce((next, paid) => refundPart(next, paid, { units: leftOf(next.order, paid), reason }), step)

/** Divides an amount among payments, from the last one on: never more of one than is left of it. */
export const takeFromLast = (
  order: OrderState,
  payments: readonly PaymentState[],
  units: bigint,
): { payment: PaymentState; units: bigint }[] => {
  let due = units
  return [...payments].reverse().flatMap((payment) => {
    const left = leftOf(order, payment)
    const taken = due < left ? due : left
    due -= taken
    return taken > 0n ? [{ payment, units: taken }] : []
  })
}

/** Starts the refunds of an amount that several payments paid together. */
export const refundTogether = (
  step: Transition,
  payments: readonly PaymentState[],
  { units, reason }: RefundPart,
): Transition =>
  takeFromLast(step.order, payments, units).reduce(
    (next, taken) => refundPart(next, taken.payment, { units: taken.units, reason }),
    step,
  )

/**
 * Requests the sweep of a finished order's proceeds to each recipient, once, as soon as no refund is pending and no mint
 * can be undone.
 * A held or failed refund stays owed and is not part of the proceeds. One that the treasury pays takes nothing from
 * them.
 */
export const sweepWhenSettled = ({ order, effects }: Transition): Transition => {
  const isSettled =
    order.phase === 'completed' &&
    order.lineItems.every(({ delivery }) => !delivery.isSettling) &&
    order.payments.every(({ use }) => use !== 'undecided') &&
    order.refunds.every(({ status, source }) => status !== 'pending' || source === 'treasury')
  if (!isSettled || order.isSwept) return { order, effects }
  const sweeps = listProceeds(order).map(({ recipient }) => ({
    type: 'sweep' as const,
    ...(recipient !== undefined && { recipient }),
  }))
  return { order: { ...order, isSwept: true }, effects: [...effects, ...sweeps] }
}
