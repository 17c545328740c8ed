import type { Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import { enqueueEffects } from './enqueueEffects.js'
import type { OrderEffect, OrderEvent } from './event.js'
import type { OrderState } from './order.js'
import { lockOrder, type StoredOrder, saveOrder } from './store.js'
import { transition } from './transition.js'

type UpdateDeps = Pick<Deps, 'jobs' | 'now'>

/** Lets events happen to an order that this transaction has locked: transition, write, enqueue. */
export const applyEvents = async (
  deps: UpdateDeps,
  tx: Transaction,
  stored: StoredOrder,
  events: readonly OrderEvent[],
): Promise<OrderState> => {
  const nowMs = deps.now()
  let { order } = stored
  const effects: OrderEffect[] = []
  for (const event of events) {
    const next = transition(order, event, nowMs)
    order = next.order
    effects.push(...next.effects)
  }
  if (order !== stored.order) await saveOrder(tx, { order, revision: stored.revision }, nowMs)
  await enqueueEffects(deps, tx, order, effects)
  return order
}

/**
 * Lets events happen to an order: lock, transition, write, enqueue.
 *
 * @returns The order as it is now; undefined when there is none.
 */
export const updateOrder = async (
  deps: UpdateDeps,
  tx: Transaction,
  orderId: string,
  ...events: readonly OrderEvent[]
): Promise<OrderState | undefined> => {
  const stored = await lockOrder(tx, orderId)
  return stored && applyEvents(deps, tx, stored, events)
}
