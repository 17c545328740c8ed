import type { OrderEffect, OrderState } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import { refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'

type EffectDeps = Pick<Deps, 'jobs' | 'now'>

const enqueueEffect = async (
  { jobs, now }: EffectDeps,
  tx: Transaction,
  order: OrderState,
  effect: OrderEffect,
): Promise<void> => {
  const { orderId } = order
  const sweepOf = ({ recipient }: { recipient?: string }) => ({
    orderId,
    ...(recipient !== undefined && { recipient }),
  })
  switch (effect.type) {
    case 'deliver':
      return jobs.enqueue(tx, 'orders.deliver', { orderId, lineItemIndex: effect.lineItemIndex })
    case 'deliver-again': {
      const { lineItemIndex, atMs } = effect
      return jobs.enqueue(tx, 'orders.deliver', { orderId, lineItemIndex }, { startAfter: new Date(atMs) })
    }
    case 'refund': {
      const { refundId, payOutKey, payment, units, reason, isUrgent, source = 'order' as const } = effect
      const { chain, currency, payer: recipient } = payment
      const createdAt = new Date(now())
      const paymentId = payment.id
      const money = { orderId, paymentId, chain, currency, units, recipient, reason }
      const row = { id: refundId, payOutKey, ...money, source, createdAt }
      await tx.insert(refunds).values({ ...row, status: 'pending' })
      return jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { priority: isUrgent ? 1 : 0 })
    }
    case 'sweep':
      return jobs.enqueue(tx, 'orders.sweep', sweepOf(effect))
    case 'sweep-again':
      return jobs.enqueue(tx, 'orders.sweep', sweepOf(effect), { startAfter: new Date(effect.atMs) })
    case 'look-for-payments':
      return jobs.enqueue(tx, 'payments.look', { chain: order.payment.chain })
    case 'await-search':
      return jobs.enqueue(tx, 'orders.returnParts', { orderId })
    case 'schedule-expiry':
      return jobs.enqueue(tx, 'orders.expire', { orderId }, { startAfter: new Date(effect.atMs) })
  }
}

/** Enqueues the jobs that an order's new state needs, in the transaction that writes that state. */
export const enqueueEffects = async (
  deps: EffectDeps,
  tx: Transaction,
  order: OrderState,
  effects: readonly OrderEffect[],
): Promise<void> => {
  for (const effect of effects) await enqueueEffect(deps, tx, order, effect)
}
