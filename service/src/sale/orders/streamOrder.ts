import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { OrderStreamParameters } from '#base/ports/orderStreams.js'
import { audienceOf, requireOrderAccess } from '#identity/authorize.js'
import { readOrder } from './store.js'

/**
 * Streams an order: its state now, and after every change.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `rate-limited`.
 */
export const streamOrder = async (
  deps: Deps,
  { actor }: Call,
  input: Omit<OrderStreamParameters, 'audience'>,
): Promise<ReadableStream<Uint8Array>> => {
  requireOrderAccess(actor, 'orders.read', input.orderId)
  // A client secret was compared with the order's own.
  if (actor.kind !== 'client-secret' && !(await readOrder(deps.db, input.orderId, actor.projectId))) {
    throw new ServiceError('not-found', 'Not found')
  }
  return deps.orderStreams.open({ ...input, audience: audienceOf(actor) })
}
