import { getOrder } from '../api/getOrder.js'
import { setOrder } from '../query/setOrder.js'
import type { Order } from '../schema/index.js'
import type { OrderAccess } from './payContext.js'

/** Gets the order's current state for a decision about money. */
export const getFreshOrder = async (context: OrderAccess): Promise<Order> => {
  const { client, queryClient, orderId, clientSecret } = context
  const order = await getOrder(client, { orderId, clientSecret })
  setOrder(queryClient, client, order)
  return order
}
