'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'
import { editOrderMutationOptions } from '../query/editOrder.js'
import type { OrderParameters } from '../query/order.js'
import type { EditOrderBody, Order } from '../schema/index.js'
import { useCheckoutContext } from './checkoutContext.js'
import { type MutationParameter, mergeMutation } from './mutation.js'

/** Parameters of {@link useEditOrder}. */
export type UseEditOrderParameters = OrderParameters & {
  mutation?: MutationParameter<Order, EditOrderBody> | undefined
}

/** Result of {@link useEditOrder}: TanStack Query's own result. */
export type UseEditOrderResult = UseMutationResult<Order, AnyKassaError, EditOrderBody>

/**
 * Changes the recipient, the payment or the locale of an unpaid order; the service quotes it again.
 *
 * @param parameters - `orderId`, the `clientSecret` that opens it, and `mutation` for TanStack's own options.
 * @source answers.md "Create order, edit order"
 */
export const useEditOrder = (parameters: UseEditOrderParameters): UseEditOrderResult => {
  const { client } = useCheckoutContext('useEditOrder')
  const { mutation, ...order } = parameters
  return useMutation(mergeMutation(editOrderMutationOptions(client, order), mutation))
}
