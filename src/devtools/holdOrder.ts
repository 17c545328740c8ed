import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import { orderQueryKey } from '../query/keys.js'
import { setOrder } from '../query/setOrder.js'
import { findWire } from '../query/wire.js'
import type { Amount, Order } from '../schema/index.js'

/** An order that is shown instead of the real one. */
export type HeldOrder = {
  /** The real order as last read. */
  readonly real: Order
  /** Shows another order. */
  show(order: Order): void
  /** Whether it is still shown, because no answer of the service has replaced it. */
  isShown(): boolean
  /**
   * Shows the real order and reads it again. Does nothing once an answer of the service has replaced the
   * simulated one.
   */
  release(): void
}

/**
 * Pauses the reads of an order, so that another one can be shown instead. Any answer of the service to a
 * payment or an edit ends the pause, because decisions about money must use the real order.
 */
export const holdOrder = (queryClient: QueryClient, client: Client, real: Order): HeldOrder => {
  const queryKey = orderQueryKey(client, real.orderId)
  const find = () => findWire(queryClient, client, real.orderId)
  const agreed: Amount | undefined = find()?.agreed
  return {
    real,
    show: (order) => {
      const wire = find()
      if (!wire) return
      // A read in progress must not overwrite it.
      Object.assign(wire, { known: undefined, writes: wire.writes + 1, isHeld: true })
      queryClient.setQueryData(queryKey, order)
    },
    isShown: () => find()?.isHeld === true,
    release: () => {
      const wire = find()
      if (!wire?.isHeld) return
      // The buyer has not agreed to the price of a simulated order.
      wire.agreed = agreed
      setOrder(queryClient, client, real)
      void queryClient.refetchQueries({ queryKey, exact: true })
    },
  }
}
