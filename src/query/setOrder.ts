import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import { isKassaError } from '../errors/KassaError.js'
import { getAmountDue } from '../order/payment.js'
import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'
import { findWire } from './wire.js'

/**
 * Sends a change of an order. Until it is answered, streamed states wait, because the buyer agrees to the price of the
 * change with the answer.
 */
export const sendChange = async (
  queryClient: QueryClient,
  client: Client,
  { orderId, send }: { orderId: string; send: () => Promise<Order> },
): Promise<Order> => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.changes += 1
  try {
    return await send()
  } catch (error) {
    // The order is not the one that is shown: a payment was seen since, for example.
    if (isKassaError(error, 'api.conflict'))
      void queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
    throw error
  } finally {
    if (wire) wire.changes -= 1
  }
}

/** Writes an order from the answer to a mutation into `useOrder`'s cache, without a second request. */
export const setOrder = (queryClient: QueryClient, client: Client, order: Order): void => {
  const wire = findWire(queryClient, client, order.orderId)
  if (wire) {
    wire.known = undefined
    wire.writes += 1
    wire.isHeld = false
  }
  queryClient.setQueryData(orderQueryKey(client, order.orderId), order)
}

/**
 * Writes an order that the buyer has just changed or quoted again. They requested its price, so they agree to
 * it.
 */
export const setChosenOrder = (queryClient: QueryClient, client: Client, order: Order): void => {
  const agree = (): void => {
    const wire = findWire(queryClient, client, order.orderId)
    if (wire) wire.agreed = getAmountDue(order)
  }
  // Called before, because subscribers compare prices at once; and after, for an order that is new to the
  // cache.
  agree()
  setOrder(queryClient, client, order)
  agree()
}
