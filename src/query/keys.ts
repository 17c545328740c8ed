import type { Client } from '../api/index.js'

/** Names an order in the query cache. It never holds the client secret, which a devtool would show. */
export const orderQueryKey = (client: Pick<Client, 'baseUrl' | 'publicBaseUrl'>, orderId: string) =>
  ['kassa', 'order', { baseUrl: client.publicBaseUrl ?? client.baseUrl, orderId }] as const

/** Key of an order in the query cache. */
export type OrderQueryKey = ReturnType<typeof orderQueryKey>
