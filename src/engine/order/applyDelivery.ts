import { nextAttemptAtMs } from '../nextAttempt.js'
import { isPaymentLost, listAccepted } from './accepted.js'
import { isClaimed } from './applyClaim.js'
import type { OrderEvent } from './event.js'
import { type Transition, unchanged } from './event.js'
import type { LineItemState, OrderState, RefundState } from './order.js'
import { refundTogether, sweepWhenSettled } from './settle.js'

/**
 * How often a partly minted line item is tried again. Minted tokens stay with the buyer, so the rest is tried
 * without a limit.
 */
const restMs = 15 * 60_000

const itemOnItsWay = (order: OrderState, index: number): LineItemState | undefined => {
  const item = order.phase === 'delivery' ? order.lineItems[index] : undefined
  return item?.delivery.status === 'in-progress' ? item : undefined
}

const replaceDelivery = (
  order: OrderState,
  index: number,
  delivery: LineItemState['delivery'],
): OrderState => ({
  ...order,
  lineItems: order.lineItems.map((item, at) => (at === index ? { ...item, delivery } : item)),
})

const withDelivery = (
  order: OrderState,
  index: number,
  delivery: Partial<LineItemState['delivery']>,
): OrderState => ({
  ...order,
  lineItems: order.lineItems.map((item, at) =>
    at === index ? { ...item, delivery: { ...item.delivery, ...delivery } } : item,
  ),
})

const finishWhenDone = ({ order, effects }: Transition): Transition => {
  const isDone = order.lineItems.every(
    ({ delivery }) => delivery.status === 'completed' || delivery.status === 'failed',
  )
  return isDone ? sweepWhenSettled({ order: { ...order, phase: 'completed' }, effects }) : { order, effects }
}

/** Records the ids of the tokens to mint, and the fixed end of a subscription. */
export const allocateTokens = (
  order: OrderState,
  event: Extract<OrderEvent, { type: 'tokens-allocated' }>,
): Transition => {
  const { lineItemIndex, tokenIds, expiresAtMs } = event
  const item = itemOnItsWay(order, lineItemIndex)
  if (!item || item.delivery.tokenIds) return unchanged(order)
  const allocated = { tokenIds, ...(expiresAtMs !== undefined && { expiresAtMs }) }
  return { order: withDelivery(order, lineItemIndex, allocated), effects: [] }
}

/** Records that the first tokens of a line item, or the next ones, were minted. */
export const noteMinted = (
  order: OrderState,
  { lineItemIndex, first, count, txId }: Extract<OrderEvent, { type: 'tokens-minted' }>,
): Transition => {
  const item = itemOnItsWay(order, lineItemIndex)
  const minted = item?.delivery.minted ?? []
  if (!item || minted.reduce((sum, part) => sum + part.count, 0) !== first) return unchanged(order)
  return {
    order: withDelivery(order, lineItemIndex, { minted: [...minted, { count, txId }] }),
    effects: [],
  }
}

/** Records that a line item was minted to its recipient. */
export const deliverItem = (
  order: OrderState,
  event: Extract<OrderEvent, { type: 'item-delivered' }>,
): Transition => {
  if (!itemOnItsWay(order, event.lineItemIndex)) return unchanged(order)
  const { txId, tokens, walletAddress, isSettling } = event
  const delivery = {
    status: 'completed' as const,
    txId,
    tokens,
    walletAddress,
    ...(isSettling && { isSettling }),
  }
  return finishWhenDone({ order: withDelivery(order, event.lineItemIndex, delivery), effects: [] })
}

/** Records that the mint of a delivered line item is final, and in which transaction. */
export const settleItem = (order: OrderState, index: number, txId: string): Transition => {
  const item = order.lineItems[index]
  if (!item?.delivery.isSettling) return unchanged(order)
  const { isSettling: _, ...delivery } = item.delivery
  return sweepWhenSettled({ order: replaceDelivery(order, index, { ...delivery, txId }), effects: [] })
}

/** The attempt at minting a line item. */
type ItemAttempt = { lineItemIndex: number; attempt: number }

/**
 * Records that a reorganisation took back the mint of a delivered line item, and that the chain then refused it: it is
 * on its way again, and its attempt was refused.
 */
export const undoItem = (
  order: OrderState,
  { lineItemIndex: index, attempt }: ItemAttempt,
  nowMs: number,
): Transition => {
  const item = order.lineItems[index]
  if (!item?.delivery.isSettling || (item.delivery.attempt ?? 1) !== attempt) return unchanged(order)
  const { isSettling: _, txId: _gone, tokens: _lost, ...delivery } = item.delivery
  // Once the payment is back, the line item is tried again.
  const status = isPaymentLost(order) ? 'awaiting-payment' : 'in-progress'
  const undone = replaceDelivery(order, index, { ...delivery, status })
  return refuseItem({ ...undone, phase: 'delivery' }, { lineItemIndex: index, attempt }, nowMs)
}

/**
 * Records that the chain refused to mint a line item: it is tried again later, or fails after the last
 * attempt.
 */
export const refuseItem = (
  order: OrderState,
  { lineItemIndex: index, attempt }: ItemAttempt,
  nowMs: number,
): Transition => {
  const item = itemOnItsWay(order, index)
  if (!item || (item.delivery.attempt ?? 1) !== attempt) return unchanged(order)
  const isBegun = item.delivery.minted !== undefined
  const atMs = nextAttemptAtMs(attempt, nowMs) ?? (isBegun ? nowMs + restMs : undefined)
  if (atMs === undefined) return failItem(order, index)
  return {
    order: withDelivery(order, index, { attempt: attempt + 1 }),
    effects: [{ type: 'deliver-again', lineItemIndex: index, atMs }],
  }
}

/**
 * Records that a line item can never be delivered. Its price is refunded, unless the buyer has a part of it
 * already.
 */
export const failItem = (order: OrderState, index: number): Transition => {
  const item = itemOnItsWay(order, index)
  if (!item || item.delivery.minted) return unchanged(order)
  const failed = { order: withDelivery(order, index, { status: 'failed' }), effects: [] }
  if (isClaimed(order)) return finishWhenDone(failed)
  // A lost payment cannot be refunded. Once it is back, the line item is tried again.
  if (isPaymentLost(order))
    return { order: withDelivery(order, index, { status: 'awaiting-payment' }), effects: [] }
  const accepted = listAccepted(order)
  if (!accepted.length) return unchanged(order)
  const totalUnits = BigInt(item.quote.charges?.totalUnits ?? 0)
  return finishWhenDone(refundTogether(failed, accepted, { units: totalUnits, reason: 'undelivered' }))
}

/** Records the outcome of a refund: it reached its recipient, or waits as its status says. */
export const settleRefund = (
  order: OrderState,
  refundId: string,
  outcome: Pick<RefundState, 'status' | 'heldAs' | 'txId' | 'contract' | 'fee'>,
): Transition => {
  const found = order.refunds.find(({ id }) => id === refundId)
  // A credit leaves its contract when the payer claims it, or the operator sends it elsewhere.
  const isClaimed = found?.status === 'credited' && outcome.status === 'sent'
  const isHeldAnew = found?.status === 'held' && outcome.status === 'held' && found.heldAs !== outcome.heldAs
  if (found?.status !== 'pending' && !isClaimed && !isHeldAnew) return unchanged(order)
  const refunds = order.refunds.map((refund): RefundState => {
    if (refund.id !== refundId) return refund
    const { contract: _left, ...rest } = refund
    return { ...rest, ...outcome }
  })
  return sweepWhenSettled({ order: { ...order, refunds }, effects: [] })
}

/** Makes a held or failed refund pending again, and records where it or a pending one goes. */
export const retryRefund = (
  order: OrderState,
  { refundId, to }: { refundId: string; to?: string },
): Transition => {
  const isChanged = ({ id, status, sentTo }: RefundState): boolean =>
    id === refundId &&
    (status === 'held' || status === 'failed' || (status === 'pending' && to !== undefined && to !== sentTo))
  if (!order.refunds.some(isChanged)) return unchanged(order)
  const refunds = order.refunds.map((refund): RefundState => {
    if (!isChanged(refund)) return refund
    const { heldAs: _past, ...rest } = refund
    return { ...rest, status: 'pending', ...(to !== undefined && { sentTo: to }) }
  })
  return { order: { ...order, refunds }, effects: [] }
}

/** Records where refunds on the chain of the order go that are not on their way, and those of earlier quotes with them. */
export const nameRefundAddress = (order: OrderState, refundAddress: string): Transition => {
  const { chain } = order.payment
  const isOther = ({ terms }: RefundState): boolean =>
    terms?.payment.chain === chain && terms.payment.refundAddress !== refundAddress
  if (order.payment.refundAddress === refundAddress && !order.refunds.some(isOther)) return unchanged(order)
  const refunds = order.refunds.map((refund): RefundState => {
    const { terms } = refund
    if (!terms || !isOther(refund)) return refund
    return { ...refund, terms: { ...terms, payment: { ...terms.payment, refundAddress } } }
  })
  return { order: { ...order, payment: { ...order.payment, refundAddress }, refunds }, effects: [] }
}
