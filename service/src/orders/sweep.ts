import { attemptKey } from '../chains/port.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { sweepAttempt } from './applySweep.js'
import { listTakings } from './listTakings.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/**
 * Sweeps one recipient's proceeds of a finished order, once however often it runs. A refused sweep is tried
 * again later. Each recipient has a separate job, so that a refusal of one does not delay the others.
 */
export const sweepOrder =
  (deps: Deps): JobHandler<'orders.sweep'> =>
  async ({ orderId, recipient }) => {
    const order = (await readOrder(deps.db, orderId))?.order
    const takings = order?.isSwept ? listTakings(order) : []
    const taking = takings.find((one) => one.recipient === recipient)
    if (!order || !taking) return
    const { key, currency, units } = taking
    const chain = deps.chains.get(taking.chain)
    if (!chain) throw new Error(`${taking.chain} is not enabled any more`)
    await chain.ready()
    const attempt = sweepAttempt(order, key)
    const input = { orderId, currency, units, ...(recipient !== undefined && { recipient }) }
    const swept = await chain.sweep(attemptKey(key, attempt), input)
    if (swept.status === 'failed') {
      const { reason } = swept
      deps.log.error({ orderId, recipient, attempt, reason }, 'the takings of an order could not be moved')
    }
    const event =
      swept.status === 'failed'
        ? ({ type: 'sweep-refused', key, attempt, reason: swept.reason } as const)
        : ({ type: 'swept', key } as const)
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, event))
  }
