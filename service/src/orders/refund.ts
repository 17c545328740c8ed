import { and, eq } from 'drizzle-orm'
import { attemptKey } from '../chains/port.js'
import { refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { nextAttemptAtMs } from '../nextAttempt.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

type RefundRow = typeof refunds.$inferSelect

/** Writes down how an attempt ended, unless somebody already did; one that was refused is tried again later. */
const settle = (
  deps: Deps,
  { id: refundId, orderId, attempt }: RefundRow,
  end: { status: 'succeeded'; txId: string } | { status: 'failed'; txId?: string; reason: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // The order first, then the refund: everybody locks in this order.
    const stored = await lockOrder(tx, orderId)
    const againAtMs = end.status === 'failed' ? nextAttemptAtMs(attempt, deps.now()) : undefined
    const outcome =
      end.status === 'succeeded'
        ? { status: 'sent' as const, txId: end.txId, failure: null }
        : againAtMs === undefined
          ? { status: 'failed' as const, txId: end.txId ?? null, failure: end.reason }
          : { attempt: attempt + 1, failure: end.reason }
    const isPresent = and(
      eq(refunds.id, refundId),
      eq(refunds.status, 'pending'),
      eq(refunds.attempt, attempt),
    )
    const changed = await tx.update(refunds).set(outcome).where(isPresent).returning({ id: refunds.id })
    if (!stored || !changed.length) return
    if (againAtMs !== undefined) {
      const startAfter = new Date(againAtMs)
      return deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter })
    }
    await applyEvents(deps, tx, stored, [
      end.status === 'succeeded'
        ? { type: 'refund-sent', refundId, txId: end.txId }
        : { type: 'refund-failed', refundId },
    ])
  })

/**
 * Sends all or part of a payment back to who paid it, once however often it runs: the refund's id is the first key
 * of every attempt.
 */
export const sendRefund =
  (deps: Deps): JobHandler<'orders.refund'> =>
  async ({ orderId, refundId }) => {
    const [row] = await deps.db.select().from(refunds).where(eq(refunds.id, refundId))
    if (row?.status !== 'pending') return
    const chain = deps.chains.get(row.chain)
    if (!chain) throw new Error(`${row.chain} is not enabled any more`)
    await chain.ready()
    const { currency, recipient, attempt } = row
    const input = { orderId, currency, units: BigInt(row.units), recipient }
    const sent = await chain.refund(attemptKey(refundId, attempt), input)
    if (sent.status === 'failed') {
      deps.log.error({ orderId, refundId, attempt, reason: sent.reason }, 'the chain refused a refund')
    }
    await settle(deps, row, sent)
  }
