'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'
import type { OrderParameters } from '../query/order.js'
import { refreshOrderMutationOptions } from '../query/refreshOrder.js'
import type { Order } from '../schema/index.js'
import { useCheckoutContext } from './checkoutContext.js'
import { type MutationParameter, mergeMutation } from './mutation.js'

/** Parameters of {@link useRefreshOrder}. */
export type UseRefreshOrderParameters = OrderParameters & {
  mutation?: MutationParameter<Order, void> | undefined
}

/** Result of {@link useRefreshOrder}: TanStack Query's own result. */
export type UseRefreshOrderResult = UseMutationResult<Order, AnyKassaError, void>

/**
 * Quotes an unpaid order again at the current price.
 *
 * @param parameters - `orderId`, the `clientSecret` that opens it, and `mutation` for TanStack's own options.
 * @source answers.md "Create order, edit order"
 */
export const useRefreshOrder = (parameters: UseRefreshOrderParameters): UseRefreshOrderResult => {
  const { client } = useCheckoutContext('useRefreshOrder')
  const { mutation, ...order } = parameters
  return useMutation(mergeMutation(refreshOrderMutationOptions(client, order), mutation))
}
