import { mutationOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import { makeKey } from '../api/makeKey.js'
import { createOrder } from '../api/orders.js'
import type { CartOrderBody, CreateOrderAnswer, CreateOrderBody } from '../schema/index.js'
import { setChosenOrder } from './setOrder.js'

/**
 * Options of the mutation that creates an order and puts it into `useOrder`'s cache without a second request.
 */
export const createOrderMutationOptions = (client: Client) => {
  // One key per call of `mutate`, reused by its retries, so that a repeated request creates no second order.
  const keys = new WeakMap<CreateOrderBody | CartOrderBody, string>()
  return mutationOptions<CreateOrderAnswer, AnyKassaError, CreateOrderBody | CartOrderBody>({
    mutationKey: ['kassa', 'createOrder'],
    onMutate: (body) => void keys.set(body, makeKey()),
    mutationFn: (body) => createOrder(client, { body, idempotencyKey: keys.get(body) }),
    onSuccess: ({ order }, _body, _result, context) => setChosenOrder(context.client, client, order),
  })
}
