import { type OrderEffect, type OrderEvent, type OrderState, transition } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { Deps } from '#base/deps.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { bookMoves } from './bookMoney.js'
import { type EmitDeps, emitOrderEvents } from './emitOrderEvents.js'
import { enqueueEffects } from './enqueueEffects.js'
import { mailOrder } from './mailOrder.js'
import { moveReservations } from './moveReservations.js'
import { type LockedOrder, lockOrder, lockOrders, saveOrder } from './store.js'

/** An order that a transaction has locked, and the events to apply to it. */
type LockedChange = { stored: LockedOrder; events: readonly OrderEvent[] }

const applySteps = ({ stored, events }: LockedChange, nowMs: number) => {
  let { order } = stored
  const effects: OrderEffect[] = []
  const steps: { before: OrderState; after: OrderState }[] = []
  for (const event of events) {
    const next = transition(order, event, nowMs)
    steps.push({ before: order, after: next.order })
    effects.push(...next.effects)
    order = next.order
  }
  return { stored, order, effects, steps }
}

/**
 * Applies events to different orders that this transaction has locked: transition, write, enqueue, notify. One statement
 * writes all of them.
 *
 * @returns The orders after the events, in their order.
 */
export const applyAll = async (
  deps: EmitDeps,
  tx: Transaction,
  changes: readonly LockedChange[],
): Promise<OrderState[]> => {
  const nowMs = deps.now()
  const applied = changes.map((change) => applySteps(change, nowMs))
  const changed = applied.filter(({ stored, order }) => order !== stored.order)
  await saveOrder(deps, tx, ...changed.map(({ stored, order }) => ({ order, revision: stored.revision })))
  for (const { stored, order } of changed) await bookMoves(tx, stored.order, order)
  for (const { stored, order, effects, steps } of applied) {
    await enqueueEffects(deps, tx, order, effects)
    const createdAtMs = stored.createdAt.getTime()
    for (const step of steps) {
      await emitOrderEvents(deps, tx, { ...step, createdAtMs }, nowMs)
      await mailOrder(deps, tx, step)
    }
    // The counts of a collection are what most orders write, so they are locked last.
    await moveReservations(tx, stored.order, order)
  }
  return applied.map(({ order }) => order)
}

/** Applies events to one order as {@link applyAll}, and returns the order after them. */
export const applyEvents = async (
  deps: EmitDeps,
  tx: Transaction,
  stored: LockedOrder,
  events: readonly OrderEvent[],
): Promise<OrderState> => {
  const [order = stored.order] = await applyAll(deps, tx, [{ stored, events }])
  return order
}

/**
 * Applies events to an order: lock, transition, write, enqueue, notify.
 *
 * @returns The order after the events, or `undefined` if it does not exist.
 */
export const updateOrder = async (
  deps: EmitDeps,
  tx: Transaction,
  orderId: string,
  ...events: readonly OrderEvent[]
): Promise<OrderState | undefined> => {
  const stored = await lockOrder(tx, orderId)
  return stored && applyEvents(deps, tx, stored, events)
}

/** Events of an order, and what else their transaction writes. */
export type OrderChange = {
  orderId: string
  events: readonly OrderEvent[]
  /** @param before - The order before these events and those that share their transaction. */
  also?: (tx: Transaction, before: OrderState) => Promise<void>
}

/**
 * Creates a function that applies events to an order, as {@link updateOrder}. Changes that come at about the same time
 * share a transaction.
 */
export const createOrderChanges = (
  deps: EmitDeps & Pick<Deps, 'db'>,
): ((change: OrderChange) => Promise<void>) =>
  createTransactionBatch(deps.db, async (tx, changes: readonly OrderChange[]) => {
    const locked = await lockOrders(
      tx,
      changes.map(({ orderId }) => orderId),
    )
    const found = [...groupBy(changes, (change) => change.orderId)].flatMap(([orderId, own]) => {
      const stored = locked.get(orderId)
      return stored ? [{ stored, events: own.flatMap(({ events }) => events), own }] : []
    })
    await applyAll(deps, tx, found)
    for (const { stored, own } of found) for (const { also } of own) await also?.(tx, stored.order)
    return changes.map(() => undefined)
  })

/** Expires an order's quote, if it has run out without payment. */
export const expireOrder =
  (deps: EmitDeps & Pick<Deps, 'db'>): JobHandler<'orders.expire'> =>
  async ({ orderId }) => {
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, { type: 'time-passed' }))
  }
