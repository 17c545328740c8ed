'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'
import { type OrderQueryParameters, orderQueryOptions } from '../query/order.js'
import type { Order } from '../schema/index.js'
import { useCheckoutContext } from './checkoutContext.js'

/** Parameters of {@link useOrder}. */
export type UseOrderParameters<Selected = Order> = OrderQueryParameters<Selected>

/** Result of {@link useOrder}: TanStack Query's own result. */
export type UseOrderResult<Selected = Order> = UseQueryResult<Selected, AnyKassaError>

/**
 * Follows an order until it is completed: reads it, and shows every change that the service streams. Without a stream, it
 * polls as often as the order's state requires.
 *
 * @param parameters - `orderId`, the `clientSecret` that opens it, and `query` for TanStack's own options.
 * @returns The query's result, unspread; `error` is a {@link KassaError} of any `api.*` code.
 * @source interface.md "Get order"
 * @example
 * ```tsx
 * import { useOrder } from 'kassa'
 *
 * export function Phase(props: { orderId: string; clientSecret: string }) {
 *   const order = useOrder(props)
 *   if (order.error) return <p role="alert">{order.error.message}</p>
 *   return <p>{order.data?.phase}</p>
 * }
 * ```
 */
export const useOrder = <Selected = Order>(
  parameters: UseOrderParameters<Selected>,
): UseOrderResult<Selected> => {
  const { client } = useCheckoutContext('useOrder')
  return useQuery(orderQueryOptions(client, parameters))
}
