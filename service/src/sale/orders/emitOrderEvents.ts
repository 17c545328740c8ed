import type { OrderState } from 'kassa/engine'
import { orderEvents, viewOrder, viewRefund } from 'kassa/engine'
import type { Refund } from 'kassa/schema'
import type { Config } from '#base/config/config.js'
import type { Transaction } from '#base/db/database.js'
import { type EventDeps, emitEvent } from '#notify/webhooks/emitEvent.js'
import type { SaveDeps } from './store.js'

/** What writing an order, and notifying its project, needs. */
export type EmitDeps = EventDeps & SaveDeps & { config: Pick<Config, 'chains' | 'publicUrl'> }

/** One step of an order, and when the order was created. */
export type OrderStep = { before: OrderState | undefined; after: OrderState; createdAtMs: number }

/** Returns the refund whose status a step has changed. */
const findRefund = ({ before, after }: Pick<OrderStep, 'before' | 'after'>): { refund?: Refund } => {
  const statusOf = new Map(before?.refunds.map(({ id, status }) => [id, status]))
  const changed = after.refunds.find(({ id, status }) => statusOf.get(id) !== status)
  return changed ? { refund: viewRefund(after, changed) } : {}
}

/**
 * Emits the events of a step of an order, in the transaction that writes the step. They contain the order
 * after that step, and those about a refund also that refund.
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
      orderId,
      startedAtMs: createdAtMs,
      ...(!type.endsWith('.failed') && { completedAtMs: nowMs }),
      data: {
        ...viewOrder(after, nowMs, 'merchant'),
        ...(type.startsWith('orders.refund.') && findRefund({ before, after })),
      },
      resource: `/2022-06-09/orders/${orderId}`,
    })
  }
}
