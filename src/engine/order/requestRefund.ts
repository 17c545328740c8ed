import { isPaid, leftOf, listAccepted } from './accepted.js'
import { type OrderEvent, type Transition, unchanged } from './event.js'
import type { OrderState, RefundRequest, RefundShare, RefundState } from './order.js'
import { refundedOf } from './refundedOf.js'
import { payOutKeyOf, startRefund, sweepWhenSettled, takeFromLast } from './settle.js'

/** Returns where a refund gets its money from now: the order, or the treasury once the proceeds were swept. */
const sourceOf = ({ isSwept, wasSwept }: OrderState): 'treasury' | undefined =>
  isSwept || wasSwept ? 'treasury' : undefined

/** What can be refunded of a delivered line item. @units base units of the payment's currency */
export type RefundableItem = {
  lineItemIndex: number
  units: bigint
  /** The account that received its proceeds and has to return them. */
  payee?: string
}

/**
 * Lists what is left of the prices of delivered line items. A line item that is not delivered has no row: it will
 * be delivered, or the service refunds it. What was swept to a recipient of the merchant's is listed with that
 * recipient, because the service cannot return it.
 */
export const listRefundable = (order: OrderState): RefundableItem[] => {
  if (!isPaid(order)) return []
  const isGone = sourceOf(order) === 'treasury'
  return order.lineItems.flatMap(({ delivery, quote }, lineItemIndex) => {
    if (delivery.status !== 'completed') return []
    const units = BigInt(quote.charges?.totalUnits ?? 0) - refundedOf(order, lineItemIndex)
    const { payee } = quote
    return [{ lineItemIndex, units, ...(isGone && payee !== undefined && { payee }) }]
  })
}

const isReachable = ({ units, payee }: RefundableItem): boolean => units > 0n && payee === undefined

const sumOf = (items: readonly { units: bigint }[]): bigint =>
  items.reduce((sum, { units }) => sum + units, 0n)

/** Returns what the merchant can refund of an order now. @units base units of the payment's currency */
export const sumRefundable = (order: OrderState): bigint => sumOf(listRefundable(order).filter(isReachable))

const toShares = (items: readonly { lineItemIndex: number; units: bigint }[]): RefundShare[] =>
  items
    .filter(({ units }) => units > 0n)
    .map(({ lineItemIndex, units }) => ({ lineItemIndex, units: `${units}` }))

/** What a merchant wants to refund: everything, some line items, or an amount in base units. */
export type WantedRefund = { lineItemIndexes?: readonly number[] | undefined; units?: bigint | undefined }

/**
 * Divides a refund among the delivered line items: an amount in proportion to what is left of their prices.
 * Returns no shares if more is wanted than can be refunded.
 */
export const divideRefund = (order: OrderState, { lineItemIndexes, units }: WantedRefund): RefundShare[] => {
  const items = listRefundable(order).filter(isReachable)
  if (lineItemIndexes) {
    const wanted = items.filter(({ lineItemIndex }) => lineItemIndexes.includes(lineItemIndex))
    return wanted.length === new Set(lineItemIndexes).size ? toShares(wanted) : []
  }
  const whole = sumOf(items)
  if (units === undefined || units === whole) return toShares(items)
  if (units > whole) return []
  let [wantedLeft, wholeLeft] = [units, whole]
  return toShares(
    items.map((item) => {
      const share = (wantedLeft * item.units) / wholeLeft
      wantedLeft -= share
      wholeLeft -= item.units
      return { ...item, units: share }
    }),
  )
}

/** Takes an amount off the start of a list of shares. Returns the shares of the amount, and the rest of the list. */
const splitShares = (
  shares: readonly RefundShare[],
  units: bigint,
): { taken: RefundShare[]; rest: RefundShare[] } => {
  let due = units
  const parts = shares.map(({ lineItemIndex, units: whole }) => {
    const taken = due < BigInt(whole) ? due : BigInt(whole)
    due -= taken
    return { lineItemIndex, taken, rest: BigInt(whole) - taken }
  })
  return {
    taken: toShares(parts.map(({ lineItemIndex, taken }) => ({ lineItemIndex, units: taken }))),
    rest: toShares(parts.map(({ lineItemIndex, rest }) => ({ lineItemIndex, units: rest }))),
  }
}

/**
 * Refunds what the merchant requests of the prices of delivered line items. A refund is of one payment, so a request
 * for more than is left of the last one starts several. A request for more than is left of all changes nothing.
 */
export const requestRefund = (order: OrderState, request: RefundRequest): Transition => {
  if (!isPaid(order) || !request.shares.length) return unchanged(order)
  const left = new Map(listRefundable(order).map((item) => [item.lineItemIndex, item]))
  let total = 0n
  for (const { lineItemIndex, units } of request.shares) {
    const item = left.get(lineItemIndex)
    const wanted = BigInt(units)
    if (!item || item.payee !== undefined || wanted <= 0n || wanted > item.units) return unchanged(order)
    // A line item named twice is counted twice.
    left.set(lineItemIndex, { ...item, units: item.units - wanted })
    total += wanted
  }
  const source = sourceOf(order)
  let { shares } = request
  let step: Transition = { order, effects: [] }
  for (const { payment, units } of takeFromLast(order, listAccepted(order), total)) {
    const { taken, rest } = splitShares(shares, units)
    shares = rest
    const own = { ...request, shares: taken }
    step = startRefund(step, payment, {
      units,
      reason: 'requested' as const,
      request: own,
      ...(source && { source }),
    })
  }
  return step
}

/**
 * Records a refund that is on the chain and that no order knows, because the database was restored from a backup. The
 * merchant had requested it: the service starts its own refunds again by itself.
 */
export const adoptRefund = (
  order: OrderState,
  { paymentId, units, payOutKey, txId, sentTo, source }: Extract<OrderEvent, { type: 'refund-adopted' }>,
): Transition => {
  const payment = order.payments.find(({ id }) => id === paymentId)
  const isKnown = order.refunds.some((refund) => payOutKeyOf(refund) === payOutKey)
  if (!payment || isKnown || !isPaid(order) || leftOf(order, payment) < BigInt(units)) return unchanged(order)
  const refund: RefundState = {
    id: `refund:${order.orderId}:${order.refunds.length}`,
    payOutKey,
    paymentId,
    units,
    reason: 'requested',
    status: 'sent',
    txId,
    request: { shares: divideRefund(order, { units: BigInt(units) }) },
    ...(sentTo !== undefined && { sentTo }),
    ...(source && { source }),
  }
  return sweepWhenSettled({ order: { ...order, refunds: [...order.refunds, refund] }, effects: [] })
}
