import { transition, viewOrder } from 'kassa/engine'
import type { Order } from 'kassa/schema'
import { audienceOf, requireOrderAccess } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/**
 * Gets an order. The first read after a quote has run out records it as expired.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source interface.md "Get order"
 */
export const getOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.read', input.orderId)
  const stored = await readOrder(deps.db, input.orderId, call.actor.projectId)
  if (!stored) throw new ServiceError('not-found', 'Not found')
  const { order } = stored
  const audience = audienceOf(call.actor)
  const event = { type: 'time-passed' } as const
  if (transition(order, event, deps.now()).order === order) return viewOrder(order, deps.now(), audience)
  const current = await deps.db.transaction((tx) => updateOrder(deps, tx, order.orderId, event))
  return viewOrder(current ?? order, deps.now(), audience)
}
