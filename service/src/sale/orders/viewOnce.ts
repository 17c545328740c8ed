import { type Audience, type OrderState, transition, viewOrder } from 'kassa/engine'
import type { Order } from 'kassa/schema'

/** The views of orders that were not changed since. */
const views = new WeakMap<OrderState, Partial<Record<Audience, Order>>>()

/** Whether an order shows what it has stored. One whose time has run out shows more until that is recorded. */
export const isShownAsStored = (order: OrderState, nowMs: number): boolean =>
  transition(order, { type: 'time-passed' }, nowMs).order === order

/** Views an order, as `viewOrder`. The view is kept as long as the order, unless its time has run out. */
export const viewOnce = (order: OrderState, nowMs: number, audience: Audience): Order => {
  if (!isShownAsStored(order, nowMs)) return viewOrder(order, nowMs, audience)
  const known = views.get(order) ?? {}
  const view = known[audience] ?? viewOrder(order, nowMs, audience)
  views.set(order, { ...known, [audience]: view })
  return view
}
