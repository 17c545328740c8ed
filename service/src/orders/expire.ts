import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { updateOrder } from './updateOrder.js'

/** Expires an order's quote, if it has run out without payment. */
export const expireOrder =
  (deps: EmitDeps & Pick<Deps, 'db'>): JobHandler<'orders.expire'> =>
  async ({ orderId }) => {
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, { type: 'time-passed' }))
  }
