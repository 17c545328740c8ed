import type { OrderState } from 'kassa/engine'
import { orderEvents, viewOrder } from 'kassa/engine'
import type { Config } from '../config/config.js'
import type { Transaction } from '../db/database.js'
import { type EventDeps, emitEvent } from '../webhooks/emitEvent.js'

/** What notifying a project of its orders needs. */
export type EmitDeps = EventDeps & { config: Pick<Config, 'chains' | 'publicUrl'> }

/** One step of an order, and when the order was created. */
export type OrderStep = { before: OrderState | undefined; after: OrderState; createdAtMs: number }

/**
 * Emits the events of a step of an order, in the transaction that writes the step. They contain the order
 * after that step.
 */
export const emitOrderEvents = async (
  deps: EmitDeps,
  tx: Transaction,
  { before, after, createdAtMs }: OrderStep,
  nowMs: number,
): Promise<void> => {
  const { orderId, projectId } = after
  for (const type of orderEvents(before, after)) {
    await emitEvent(deps, tx, {
      projectId,
      type,
      actionId: orderId,
      startedAtMs: createdAtMs,
      ...(!type.endsWith('.failed') && { completedAtMs: nowMs }),
      data: viewOrder(after, nowMs, 'merchant'),
      resource: `/2022-06-09/orders/${orderId}`,
    })
  }
}
