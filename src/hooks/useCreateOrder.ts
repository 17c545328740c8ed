'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnyKassaError } from '../api/index.js'
import { createOrderMutationOptions } from '../query/createOrder.js'
import type { CartOrderBody, CreateOrderAnswer, CreateOrderBody } from '../schema/index.js'
import { useCheckoutContext } from './checkoutContext.js'
import { type MutationParameter, mergeMutation } from './mutation.js'

/** Parameters of {@link useCreateOrder}. */
export type UseCreateOrderParameters = {
  mutation?: MutationParameter<CreateOrderAnswer, CreateOrderBody | CartOrderBody> | undefined
}

/** Result of {@link useCreateOrder}: TanStack Query's own result. */
export type UseCreateOrderResult = UseMutationResult<
  CreateOrderAnswer,
  AnyKassaError,
  CreateOrderBody | CartOrderBody
>

/**
 * Creates an order. The answer goes into `useOrder`'s cache, so following the order needs no second request.
 *
 * @param parameters - `mutation` for TanStack's own options.
 * @returns The mutation; `data` holds the order and the client secret.
 * @source interface.md "Create order"
 * @example
 * ```tsx
 * import { useCreateOrder } from 'kassa'
 *
 * // With a client of the shop's own handler: what a cart costs is the shop's to say.
 * export function Buy(props: { editionId: string }) {
 *   const order = useCreateOrder()
 *   const payment = { method: 'base-sepolia', currency: 'eth' } as const
 *   return (
 *     <button type="button" onClick={() => order.mutate({ cart: { editionId: props.editionId }, payment })}>
 *       {order.error?.message ?? 'Buy'}
 *     </button>
 *   )
 * }
 * ```
 */
export const useCreateOrder = (parameters: UseCreateOrderParameters = {}): UseCreateOrderResult => {
  const { client } = useCheckoutContext('useCreateOrder')
  const options = useMemo(() => createOrderMutationOptions(client), [client])
  return useMutation(mergeMutation(options, parameters.mutation))
}
