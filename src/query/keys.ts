import type { Query } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { Order } from '../schema/index.js'

/**
 * Returns the key of an order in the query cache. It never contains the client secret, which devtools would
 * show.
 */
export const orderQueryKey = (client: Pick<Client, 'baseUrl' | 'publicBaseUrl'>, orderId: string) =>
  ['kassa', 'order', { baseUrl: client.publicBaseUrl ?? client.baseUrl, orderId }] as const

/** Key of an order in the query cache. */
export type OrderQueryKey = ReturnType<typeof orderQueryKey>

/** The query of an order. */
export type OrderQuery = Query<Order, AnyKassaError, Order, OrderQueryKey>
