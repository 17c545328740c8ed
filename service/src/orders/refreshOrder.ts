import type { Order } from 'kassa/schema'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { requoteOrder } from './requoteOrder.js'

/**
 * Quotes an order again at today's price.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const refreshOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> =>
  requoteOrder(deps, call, input.orderId, () => ({}))
