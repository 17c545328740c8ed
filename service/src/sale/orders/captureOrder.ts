import { type CaptureDecision, explainCapture, type OrderState, viewOrder } from 'kassa/engine'
import type { Order } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { audienceOf, requireServerScope } from '#identity/authorize.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { type LockedOrder, lockOrder, readOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/**
 * Captures or voids the payment of an order that this transaction has locked, so that of two decisions at once the
 * second sees the first.
 *
 * @throws {@link ServiceError} `conflict`, saying what happened.
 */
const decide = async (
  deps: EmitDeps,
  tx: Transaction,
  stored: LockedOrder,
  decision: CaptureDecision,
): Promise<OrderState> => {
  const nowMs = deps.now()
  const found = explainCapture(stored.order, decision, nowMs)
  if (found === 'done') return stored.order
  if (found !== 'due') throw new ServiceError('conflict', found.refusal)
  const event = { type: decision === 'capture' ? 'capture-requested' : 'void-requested' } as const
  return applyEvents({ ...deps, now: () => nowMs }, tx, stored, [event])
}

/**
 * Captures or voids the payment of an order.
 *
 * @returns The order, or `undefined` if there is no such order.
 * @throws {@link ServiceError} `conflict`, saying what happened.
 */
export const decideCapture = async (
  deps: EmitDeps,
  tx: Transaction,
  { orderId, decision }: { orderId: string; decision: CaptureDecision },
): Promise<OrderState | undefined> => {
  const stored = await lockOrder(tx, orderId)
  return stored && decide(deps, tx, stored, decision)
}

const decideFor = async (
  deps: Deps,
  call: Call,
  { orderId, decision }: { orderId: string; decision: CaptureDecision },
): Promise<Order> => {
  requireServerScope(call.actor, 'orders.capture')
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  return deps.db.transaction(async (tx) => {
    const order = await decideCapture(deps, tx, { orderId: read.order.orderId, decision })
    if (!order) throw new ServiceError('not-found', 'Not found')
    const body = viewOrder(order, deps.now(), audienceOf(call.actor))
    await call.complete(tx, { status: 200, body })
    return body
  })
}

/**
 * Captures the payment of an order: from now on, its line items are delivered. Capturing it again changes nothing.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `conflict`, saying what happened.
 */
export const captureOrder = (deps: Deps, call: Call, { orderId }: { orderId: string }): Promise<Order> =>
  decideFor(deps, call, { orderId, decision: 'capture' })

/**
 * Voids the payment of an order: nothing is delivered, and the whole payment goes back to its payer. Voiding it again
 * changes nothing.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `conflict`, saying what happened.
 */
export const voidOrder = (deps: Deps, call: Call, { orderId }: { orderId: string }): Promise<Order> =>
  decideFor(deps, call, { orderId, decision: 'void' })
