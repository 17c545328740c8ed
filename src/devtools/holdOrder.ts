import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import { orderQueryKey } from '../query/index.js'
import { findWire, setOrder } from '../query/wire.js'
import type { Amount, Order } from '../schema/index.js'

/** An order that is shown in place of the real one. */
export type HeldOrder = {
  /** The order as it was last read. */
  readonly real: Order
  /** Shows another one. */
  show(order: Order): void
  /** Whether nothing the service has said since has taken its place. */
  isShown(): boolean
  /** Shows the real one, and reads it again; does nothing once the service has. */
  release(): void
}

/**
 * Holds the reads of an order back, so that another one can be shown in its place. Whatever a payment or an edit
 * learns from the service ends it: what is decided about money is decided about the real one.
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
      // A read that is on its way must not undo it.
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
