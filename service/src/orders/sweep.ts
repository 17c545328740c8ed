import { attemptKey } from '../chains/port.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { sweepAttempt } from './applySweep.js'
import type { OrderState } from './order.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/** The key under which an order's takings move, once. */
export const sweepKey = (orderId: string): string => `sweep:${orderId}`

/** What an order has earned: the payment it accepted, less what of it went back. */
export const findTakings = ({ payments, refunds }: OrderState) => {
  const paid = payments.find(({ use }) => use === 'accepted')
  if (!paid) return undefined
  const returned = refunds.filter(({ paymentId }) => paymentId === paid.id)
  const units = returned.reduce((kept, refund) => kept - BigInt(refund.units), BigInt(paid.units))
  return { chain: paid.chain, currency: paid.currency, units }
}

/** Moves what a finished order earned to the treasury, once however often it runs; refused, it is tried again later. */
export const sweepOrder =
  (deps: Deps): JobHandler<'orders.sweep'> =>
  async ({ orderId }) => {
    const order = (await readOrder(deps.db, orderId))?.order
    const takings = order?.isSwept ? findTakings(order) : undefined
    if (!order || !takings || takings.units === 0n) return
    const { currency, units } = takings
    const chain = deps.chains.get(takings.chain)
    if (!chain) throw new Error(`${takings.chain} is not enabled any more`)
    await chain.ready()
    const attempt = sweepAttempt(order)
    const swept = await chain.sweep(attemptKey(sweepKey(orderId), attempt), { orderId, currency, units })
    if (swept.status === 'failed') {
      const { reason } = swept
      deps.log.error({ orderId, attempt, reason }, 'the takings of an order could not be moved')
    }
    const event =
      swept.status === 'failed'
        ? ({ type: 'sweep-refused', attempt, reason: swept.reason } as const)
        : ({ type: 'swept' } as const)
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, event))
  }
