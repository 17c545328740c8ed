import { eq } from 'drizzle-orm'
import { refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { updateOrder } from './updateOrder.js'

/** Sends all or part of a payment back to who paid it, once however often it runs: the refund's id is the key. */
export const sendRefund =
  (deps: Deps): JobHandler<'orders.refund'> =>
  async ({ orderId, refundId }) => {
    const [row] = await deps.db.select().from(refunds).where(eq(refunds.id, refundId))
    if (row?.status !== 'pending') return
    const chain = deps.chains.get(row.chain)
    if (!chain) throw new Error(`${row.chain} is not enabled any more`)
    await chain.ready()
    const { currency, recipient } = row
    const sent = await chain.refund(refundId, { orderId, currency, units: BigInt(row.units), recipient })

    const isSent = sent.status === 'succeeded'
    if (!isSent) deps.log.error({ orderId, refundId, reason: sent.reason }, 'a refund cannot be sent')
    await deps.db.transaction(async (tx) => {
      const outcome = isSent
        ? { status: 'sent' as const, txId: sent.txId }
        : { status: 'failed' as const, txId: sent.txId ?? null, failure: sent.reason }
      await tx.update(refunds).set(outcome).where(eq(refunds.id, refundId))
      await updateOrder(
        deps,
        tx,
        orderId,
        isSent ? { type: 'refund-sent', refundId, txId: sent.txId } : { type: 'refund-failed', refundId },
      )
    })
  }
