import { eq } from 'drizzle-orm'
import { refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/**
 * Has a refund sent once more that the chain refused to the last attempt. It cannot be paid twice: the chain pays
 * once per refund, whichever attempt it is.
 *
 * @throws {@link ServiceError} `not-found`; `conflict` when the refund is sent or still being tried.
 */
export const retryRefund = (
  deps: EmitDeps & Pick<Deps, 'db'>,
  { refundId }: { refundId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const [found] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
    const stored = found && (await lockOrder(tx, found.orderId))
    if (!stored) throw new ServiceError('not-found', `there is no refund ${refundId}`)
    const [row] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('update')
    if (row?.status !== 'failed') {
      throw new ServiceError(
        'conflict',
        `the refund ${refundId} is ${row?.status}: only one that failed is tried again`,
      )
    }
    const { orderId } = row
    await tx
      .update(refunds)
      .set({ status: 'pending', attempt: row.attempt + 1 })
      .where(eq(refunds.id, refundId))
    await applyEvents(deps, tx, stored, [{ type: 'refund-retried', refundId }])
    await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId })
  })
