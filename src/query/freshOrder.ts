import { getOrder } from '../api/getOrder.js'
import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'
import type { PayContext } from './payContext.js'
import { setOrder } from './wire.js'

/** Gets the order as it is this moment, for a decision about money. */
export const getFreshOrder = async (context: PayContext): Promise<Order> => {
  const { client, queryClient, orderId, clientSecret } = context
  const order = await getOrder(client, { orderId, clientSecret })
  setOrder(queryClient, client, order)
  return order
}

/** The order as it was last seen; undefined before the first answer. */
export const getKnownOrder = ({
  queryClient,
  client,
  orderId,
}: Pick<PayContext, 'queryClient' | 'client' | 'orderId'>): Order | undefined =>
  queryClient.getQueryData(orderQueryKey(client, orderId))
