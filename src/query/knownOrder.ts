import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'
import type { PayContext } from './payContext.js'

/** Returns the order as last read; undefined before the first answer. */
export const getKnownOrder = ({
  queryClient,
  client,
  orderId,
}: Pick<PayContext, 'queryClient' | 'client' | 'orderId'>): Order | undefined =>
  queryClient.getQueryData(orderQueryKey(client, orderId))
