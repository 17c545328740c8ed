import { viewOrder } from 'kassa/engine'
import type { Order, ReportPaymentBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { audienceOf, requireOrderAccess } from '#identity/authorize.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'
import { keepWatching } from './watchTargets.js'

/**
 * Records the buyer's report of a sent transaction, as a hint to check now. Only the chain decides.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Create order, edit order"
 */
export const reportPayment = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: ReportPaymentBody },
): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.update', orderId)
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  return deps.db.transaction(async (tx) => {
    const event = { type: 'payment-reported', txId: body.txId } as const
    const order = await updateOrder(deps, tx, read.order.orderId, { type: 'time-passed' }, event)
    await keepWatching(tx, orderId, deps.now())
    const answer = viewOrder(order ?? read.order, deps.now(), audienceOf(call.actor))
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
