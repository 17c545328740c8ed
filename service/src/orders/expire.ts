import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { updateOrder } from './updateOrder.js'

/** Lets an order's quote run out, if it has by now and nobody paid. */
export const expireOrder =
  (deps: EmitDeps & Pick<Deps, 'db'>): JobHandler<'orders.expire'> =>
  async ({ orderId }) => {
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, { type: 'time-passed' }))
  }
