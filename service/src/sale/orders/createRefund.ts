import { explainLeft, type OrderState, planRefund, type RefundShare, viewRefund } from 'kassa/engine'
import type { CreateRefundBody, Refund } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { lockOrder, readOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

const conflict = (message: string): ServiceError => new ServiceError('conflict', message)

/**
 * Divides a requested refund among the delivered line items.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field; `conflict` saying what can be refunded.
 */
const readShares = (order: OrderState, body: CreateRefundBody): RefundShare[] => {
  const plan = checkInput(() => planRefund(order, body))
  if ('refusal' in plan) throw conflict(plan.refusal)
  return plan
}

/**
 * Starts a refund by the merchant in a transaction that locks the order, so that of two at once the second sees the
 * first.
 *
 * @returns The order and the new refund, or `undefined` if there is no such order.
 * @throws {@link ServiceError} `input-invalid`, `conflict`.
 */
export const startRefund = async (
  deps: EmitDeps,
  tx: Transaction,
  { orderId, body }: { orderId: string; body: CreateRefundBody },
): Promise<Refund | undefined> => {
  const stored = await lockOrder(tx, orderId)
  if (!stored) return undefined
  const { reason } = body
  const request = { shares: readShares(stored.order, body), ...(reason !== undefined && { reason }) }
  const nowMs = deps.now()
  // The answer and the stored refund name the same time.
  const fixed = { ...deps, now: () => nowMs }
  const order = await applyEvents(fixed, tx, stored, [{ type: 'refund-requested', request }])
  const refund = order.refunds[stored.order.refunds.length]
  if (!refund) throw conflict(`The refund was not started: ${explainLeft(order)}`)
  return viewRefund(order, refund, { createdAtMs: nowMs })
}

/**
 * Refunds a paid order to its payer: everything that is left, some line items, or an amount. Delivered tokens stay
 * with their holder.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`; `conflict` saying what can be refunded.
 */
export const createRefund = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: CreateRefundBody },
): Promise<Refund> => {
  requireServerScope(call.actor, 'orders.refund')
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  return deps.db.transaction(async (tx) => {
    const refund = await startRefund(deps, tx, { orderId: read.order.orderId, body })
    if (!refund) throw new ServiceError('not-found', 'Not found')
    await call.complete(tx, { status: 201, body: refund })
    return refund
  })
}
