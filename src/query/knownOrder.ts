import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'

/** Returns the order as last read; undefined before the first answer. */
export const getKnownOrder = ({
  queryClient,
  client,
  orderId,
}: {
  queryClient: QueryClient
  client: Client
  orderId: string
}): Order | undefined => queryClient.getQueryData(orderQueryKey(client, orderId))
